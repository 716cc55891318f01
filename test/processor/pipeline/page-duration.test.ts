import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobTools } from "../../../processor/pipeline/job-context.ts";
import { startOwnMedia, type OwnMedia } from "./own-media.ts";

let media: OwnMedia;

/** A page, and the files that its film might be. */
async function makeFiles(folder: string): Promise<void> {
  const sound = (seconds: number) => ["-t", String(seconds), "-c:a", "aac", "-b:a", "8k"];
  const input = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=8000:duration=20"];
  const inPieces = ["-movflags", "+empty_moov+default_base_moof", "-frag_duration", "1000000"];
  const outputs = [sound(17), "complete.mp4", sound(10), "preview.mp4", sound(20), inPieces, "pieces.mp4"];
  await execa("ffmpeg", [...input, ...outputs.flat()], { cwd: folder });
  const pieces = await readFile(join(folder, "pieces.mp4"));
  const end = [...pieces.toString("latin1").matchAll(/moof/g)].map(({ index }) => index - 4);
  await writeFile(join(folder, "cut.mp4"), pieces.subarray(0, end.at(-4)));
  await writeFile(join(folder, "page"), "<html><body>A film of twenty seconds</body></html>");
}

/** What the downloader says about the page: twenty seconds, for this file. */
function describing(name: string): Partial<JobTools> {
  const run: JobTools["downloader"]["run"] = async (args, { stdoutPath = "" }) => {
    const end = { outcome: "exited", exitCode: 0, stdout: "", stderr: "" } as const;
    // No site is known by this address.
    if (args.includes("--list-extractors")) return end;
    const page = args.find((arg) => arg.endsWith("/page"));
    const formats = [{ format_id: "0", url: new URL(name, page).href, protocol: "http" }];
    await writeFile(stdoutPath, JSON.stringify({ title: "A film", duration: 20, formats }));
    return end;
  };
  return { downloader: { ...media.jobs.tools.downloader, run } };
}

const start = (name: string) => media.start("page", { tools: describing(name) });

beforeAll(async () => {
  media = await startOwnMedia(makeFiles);
}, 120_000);
afterAll(() => media.close());

test("a complete file is stored, though its page says that it is three seconds longer", async () => {
  const job = start("complete.mp4");
  await job.result;
  expect((await media.storedBytes(job)).length).toBeGreaterThan(1000);
  expect(job.link.facts[0]?.media.duration_seconds).toBeCloseTo(17, 0);
});

test.for(["preview.mp4", "cut.mp4"])("a file that may be incomplete is not: %s", async (name) => {
  const job = start(name);
  await expect(job.result).rejects.toMatchObject({ code: "invalid_media", detail: "the media is truncated" });
  await media.expectNothingStored(job);
});
