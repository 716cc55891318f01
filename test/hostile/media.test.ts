import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JobFailure } from "../../processor/pipeline/job.ts";
import type { Downloader } from "../../processor/source/downloader.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { startTestHost, type TestHost } from "../origin/test-host.ts";
import { testMediaFolder } from "../origin/test-origin.ts";
import { startTestJobs, type TestJobs } from "../processor/pipeline/test-jobs.ts";
import { blackPng } from "./black-png.ts";
import { startCanaries, type RunningCanaries } from "./canaries.ts";
import { expectAsInCorpus } from "./expect-as-in-corpus.ts";
import { hostileSources, type HostileSource, type MediaSamples } from "./corpus/media.ts";

const limits = { source_file_bytes: 5_000_000, source_silence_ms: 20_000, time_left_ms: 60_000 };
let host: TestHost;
let jobs: TestJobs;
let canaries: RunningCanaries;
let samples: MediaSamples;

beforeAll(async () => {
  [host, jobs, canaries] = await Promise.all([startTestHost(), startTestJobs(), startCanaries()]);
  samples = await makeSamples();
});
afterAll(() => Promise.all([host.close(), jobs.close(), canaries.close()]));

test("every hostile source ends its job as expected, and leaves the machine untouched", async () => {
  await expectAsInCorpus(hostileSources(canaries, samples), endOf);
  await canaries.expectUntouched();
  // A job's leftovers are in its folder, which is removed; a name that leads out of it would lead here.
  expect(await readdir(jobs.workFolder)).toEqual([]);
  expect((await readdir(tmpdir())).filter((name) => name.startsWith("escape"))).toEqual([]);
}, 180_000);

/** The code of the job's failure, or `completed`. A job that fails leaves nothing in storage. */
async function endOf({ path, files }: HostileSource): Promise<string> {
  host.answers = { ...files };
  const downloader = withoutPauses(jobs.tools.downloader);
  const { jobId, result } = jobs.start(
    host.url + path,
    { download_subtitles: true },
    { limits },
    { downloader },
  );
  try {
    await result;
    return "completed";
  } catch (error) {
    expect(await jobs.storedKeys(jobId)).toEqual([]);
    return error instanceof JobFailure ? error.code : String(error);
  }
}

/** Sets the downloader's pauses between retries to zero. */
function withoutPauses(downloader: Downloader): Downloader {
  const hasty = (args: readonly string[]) => args.map((one) => one.replace(/exp=.*$/, "0"));
  return { ...downloader, run: (args, run) => downloader.run(hasty(args), run) };
}

async function makeSamples(): Promise<MediaSamples> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-hostile-media-"));
  const ffmpeg = (...args: string[]) =>
    execa("ffmpeg", ["-nostdin", "-v", "error", ...args], { cwd: folder });
  const film = join(testMediaFolder, mediaFiles.mp4);
  try {
    await execa("tee", ["bomb.png"], { cwd: folder, input: blackPng(14_000, 14_000), stdout: "ignore" });
    await ffmpeg("-f", "image2", "-i", "bomb.png", "-c", "copy", "bomb.mkv");
    const attachment = ["-attach", canaries.text, "-metadata:s:t", "mimetype=text/plain"];
    await ffmpeg(
      "-i",
      film,
      "-c",
      "copy",
      ...attachment,
      "-metadata:s:t",
      "filename=../../escape.txt",
      "attached.mkv",
    );
    const [mp4, mp3, pictureBomb, withAttachment] = await Promise.all(
      [
        film,
        join(testMediaFolder, mediaFiles.mp3),
        join(folder, "bomb.mkv"),
        join(folder, "attached.mkv"),
      ].map((path) => readFile(path)),
    );
    if (!mp4 || !mp3 || !pictureBomb || !withAttachment) throw new Error("a sample is missing");
    return { mp4, mp3, pictureBomb, withAttachment };
  } finally {
    await rm(folder, { recursive: true });
  }
}
