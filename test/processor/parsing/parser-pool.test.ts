import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { parseApart } from "../../../processor/parsing/parse-apart.ts";
import { createParserPool } from "../../../processor/parsing/parser-pool.ts";
import { readDescriptionApart as readFileApart } from "../../../processor/source/read-description-apart.ts";
import { readDescription } from "../../../processor/source/read-description.ts";

const { signal } = new AbortController();

let folder: string;
let files = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-description-"));
  return () => rm(folder, { recursive: true, force: true });
});

async function save(text: string): Promise<{ path: string; byteLength: number }> {
  const path = join(folder, String((files += 1)));
  await writeFile(path, text);
  return { path, byteLength: Buffer.byteLength(text) };
}

async function readDescriptionApart(text: string, until: AbortSignal) {
  return readFileApart((await save(text)).path, until);
}

function descriptionOf(fragments: number, more: object = {}): string {
  const format = {
    format_id: "1",
    url: "https://media.example/1",
    protocol: "http_dash_segments",
    fragment_base_url: "https://media.example/",
    fragments: Array.from({ length: fragments }, (_, index) => ({ path: String(index), duration: 2 })),
  };
  return JSON.stringify({ title: "A film", formats: [format], ...more });
}

test("a long description is read like a short one", async () => {
  const long = descriptionOf(100_000);
  expect(await readDescriptionApart(long, signal)).toEqual(readDescription(long));
  const short = descriptionOf(1);
  expect(await readDescriptionApart(short, signal)).toEqual(readDescription(short));
});

test("the node's own thread continues while a long one is read", async () => {
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 1);
  await readDescriptionApart(descriptionOf(200_000), signal);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(0);
});

test("problems of a long one are reported like those of a short one", async () => {
  const live = readDescriptionApart(descriptionOf(100_000, { is_live: true }), signal);
  await expect(live).rejects.toMatchObject({ name: "JobFailure", detail: "live streams are not supported" });
  const broken = readDescriptionApart(descriptionOf(100_000).slice(1), signal);
  await expect(broken).rejects.toMatchObject({ name: "JobFailure", code: "unsupported_url" });
});

test("reading ends with the signal's reason", async () => {
  const controller = new AbortController();
  const reading = readDescriptionApart(descriptionOf(200_000), controller.signal);
  controller.abort(new Error("stopped"));
  await expect(reading).rejects.toThrow("stopped");
});

test("long ones are read one after the other, and one that is stopped delays no other", async () => {
  const long = await save(descriptionOf(100_000));
  const controller = new AbortController();
  const ended: string[] = [];
  const read = (name: string, until: AbortSignal) =>
    parseApart("description", long, until).finally(() => ended.push(name));
  const first = read("first", signal);
  const stopped = read("stopped", controller.signal);
  const last = read("last", signal);
  controller.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
  await Promise.all([first, last]);
  expect(ended).toEqual(["stopped", "first", "last"]);
});

test("one that waits for others is not read into memory before its turn", async () => {
  const [path, later] = [join(folder, "before"), join(folder, "later")];
  await writeFile(path, descriptionOf(100_000, { title: "Before" }));
  await writeFile(later, descriptionOf(100_000, { title: "When its turn comes" }));
  const first = readDescriptionApart(descriptionOf(200_000), signal);
  const waiting = readFileApart(path, signal);
  await rename(later, path);
  await first;
  expect((await waiting).source.title).toBe("When its turn comes");
});

const lane = { threads: 1, heapMb: 256, deadlineMs: 60_000 };

test("a text that takes longer than its deadline fails its job, and the next one is parsed", async () => {
  const hasty = createParserPool({ short: { ...lane, deadlineMs: 1 }, long: lane });
  const slow = "<MPD ".repeat(200_000);
  await expect(hasty.parse("manifest", Buffer.from(slow), signal)).rejects.toMatchObject({
    name: "JobFailure",
    code: "unsupported_url",
    detail: "reading its description takes too much time",
  });
  const long = Buffer.from(`<MPD>${slow}${slow}`);
  expect(await hasty.parse("manifest", long, signal)).toEqual({ isLive: false, durationSeconds: null });
});

test("a text that takes more memory than its thread may have fails its job, and the next one is parsed", async () => {
  const small = createParserPool({ short: lane, long: { ...lane, heapMb: 16 } });
  await expect(small.parse("description", await save(descriptionOf(400_000)), signal)).rejects.toMatchObject({
    name: "JobFailure",
    code: "unsupported_url",
    detail: "reading its description takes too much memory",
  });
  expect(await small.parse("manifest", Buffer.from("<MPD>"), signal)).toMatchObject({ isLive: false });
});

test("short texts do not wait for a long one, whose thread is ended with its job", async () => {
  const pool = createParserPool({ short: lane, long: lane });
  const job = new AbortController();
  const ended: string[] = [];
  const long = pool
    .parse("description", await save(descriptionOf(400_000)), job.signal)
    .catch((error: unknown) => expect(error).toMatchObject({ message: "stopped" }))
    .then(() => ended.push("long"));
  for (let count = 0; count < 20; count++) await pool.parse("manifest", Buffer.from("<MPD>"), signal);
  ended.push("short");
  job.abort(new Error("stopped"));
  await long;
  expect(ended).toEqual(["short", "long"]);
});

test("a text that nests deeper than a stack fails its job", async () => {
  const deep = `{"title":${"[".repeat(400_000)}${"]".repeat(400_000)},"formats":[{"format_id":"1"}]}`;
  await expect(readDescriptionApart(deep, signal)).rejects.toMatchObject({ code: "unsupported_url" });
  const lists = `{"_type":"playlist","entries":[`.repeat(30_000) + "]}".repeat(30_000);
  await expect(readDescriptionApart(lists, signal)).rejects.toMatchObject({ code: "unsupported_url" });
});
