import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { spill } from "../../../processor/pipeline/spilled-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-spill-"));
  return () => rm(folder, { recursive: true, force: true });
});

const never = new AbortController().signal;
/** Without a limit. */
const disk = { take: () => Promise.resolve() };

/** A stream whose chunks are sent by the test. */
function controlled() {
  const stream = new TransformStream<Buffer, Buffer>(
    undefined,
    { highWaterMark: 100 },
    { highWaterMark: 100 },
  );
  return { stream: stream.readable, writer: stream.writable.getWriter() };
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<string> {
  let all = "";
  for await (const chunk of chunks) all += chunk.toString();
  return all;
}

test("a stream can be read from its file while it arrives, by several readers, each from the first byte", async () => {
  const { stream, writer } = controlled();
  const file = spill(stream, join(folder, "file"), disk, never);
  const early = collect(file.chunks());
  await writer.write(Buffer.from("one "));
  await file.until(4);
  const later = collect(file.chunks());
  await writer.write(Buffer.from("two"));
  await writer.close();
  await file.whole;
  expect(await Promise.all([early, later, collect(file.chunks())])).toEqual([
    "one two",
    "one two",
    "one two",
  ]);
  expect(await readFile(file.path, "utf8")).toBe("one two");
});

test("waiting for more than arrives ends with the stream", async () => {
  const { stream, writer } = controlled();
  const file = spill(stream, join(folder, "file"), disk, never);
  const waiting = file.until(1000);
  await writer.write(Buffer.from("short"));
  await writer.close();
  await expect(waiting).resolves.toBeUndefined();
  expect(await collect(file.chunks())).toBe("short");
});

test("waiters and readers get the stream's error, including later ones", async () => {
  const { stream, writer } = controlled();
  const file = spill(stream, join(folder, "file"), disk, never);
  const broken = new Error("cut");
  const waiting = expect(file.until(1000)).rejects.toBe(broken);
  const reading = expect(collect(file.chunks())).rejects.toBe(broken);
  await writer.write(Buffer.from("half"));
  await writer.abort(broken);
  await expect(file.whole).rejects.toBe(broken);
  await Promise.all([waiting, reading]);
  await expect(file.until(1000)).rejects.toBe(broken);
});

test("nothing is written without disk space, and a wait for space ends with the signal", async () => {
  const { stream, writer } = controlled();
  const asked: number[] = [];
  const stopped = new AbortController();
  const full = {
    take(bytes: number, signal: AbortSignal) {
      asked.push(bytes);
      return new Promise<void>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    },
  };
  const file = spill(stream, join(folder, "file"), full, stopped.signal);
  await writer.write(Buffer.from("one"));
  await expect.poll(() => asked).toEqual([3]);
  expect(await readFile(file.path, "utf8")).toBe("");
  stopped.abort(new Error("stopped"));
  await expect(file.whole).rejects.toThrow("stopped");
});

test("a full disk ends it, along with its waiters and readers", async () => {
  const { stream, writer } = controlled();
  const file = spill(stream, "/dev/full", disk, never);
  const waiting = file.until(1);
  await writer.write(Buffer.from("one"));
  const full = { code: "ENOSPC" };
  await Promise.all([
    expect(file.whole).rejects.toMatchObject(full),
    expect(waiting).rejects.toMatchObject(full),
    expect(collect(file.chunks())).rejects.toMatchObject(full),
  ]);
});
