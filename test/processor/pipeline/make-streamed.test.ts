import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EncodingOptions } from "../../../contracts/encoding-options.ts";
import type { JobTools } from "../../../processor/pipeline/job-context.ts";
import { playsFromStart, walkBoxes } from "../../../processor/containers/mp4/mp4-boxes.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";
import { expectRisingPercent, startOwnMedia, type OwnMedia } from "./own-media.ts";
import type { TestJob } from "./test-jobs.ts";

const seconds = 7;
/** The message logged for a job whose file was made twice. */
const again = "the file will be made again from the complete source";

let media: OwnMedia;

beforeAll(async () => {
  media = await startOwnMedia(makeFilms);
}, 120_000);
afterAll(() => media.close());
beforeEach(() => media.faulty.treat(() => "pass"));

/** A film of about 12 MB, in several containers. */
async function makeFilms(folder: string): Promise<void> {
  const ffmpeg = (...args: string[]) =>
    execa("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args], { cwd: folder });
  const picture = ["-f", "lavfi", "-i", `testsrc2=size=256x144:rate=25:duration=${seconds}`];
  const sound = ["-f", "lavfi", "-i", `anoisesrc=sample_rate=48000:duration=${seconds}:amplitude=0.3`];
  const codecs = [
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-g",
    "50",
    "-pix_fmt",
    "yuv420p",
    "-c:a",
    "aac",
    "-b:a",
    "192k",
  ];
  const rate = [
    "-b:v",
    "14M",
    "-minrate",
    "14M",
    "-maxrate",
    "14M",
    "-bufsize",
    "7M",
    "-x264-params",
    "nal-hrd=cbr",
  ];
  await ffmpeg(...picture, ...sound, ...codecs, ...rate, "film.mkv");
  await ffmpeg("-i", "film.mkv", "-c", "copy", "-f", "mpegts", "film.ts");
  await ffmpeg("-i", "film.mkv", "-c", "copy", "-movflags", "+frag_keyframe+empty_moov", "fragmented.mp4");
  await ffmpeg("-i", "film.mkv", "-c", "copy", "index-last.mp4");
  await ffmpeg(
    "-i",
    "film.mkv",
    "-c",
    "copy",
    "-f",
    "dash",
    "-seg_duration",
    "2",
    "-adaptation_sets",
    "id=0,streams=v id=1,streams=a",
    "film.mpd",
  );
}

const start = (
  path: string,
  options: Partial<EncodingOptions> = {},
  tools: Partial<JobTools> = {},
): TestJob => media.start(path, { options, tools });

/** Downloads a job's stored object and returns the file's path. */
async function storedFile(job: TestJob): Promise<string> {
  const path = join(media.folder, "stored");
  await writeFile(path, await media.storedBytes(job));
  return path;
}

async function probe(path: string) {
  const entries = "stream=codec_name:format=duration";
  const { stdout } = await execa("ffprobe", [
    "-v",
    "error",
    "-of",
    "csv=p=0",
    "-show_entries",
    entries,
    path,
  ]);
  const lines = stdout.split("\n");
  return { codecs: lines.slice(0, -1), seconds: Number(lines.at(-1)) };
}

/** Rejects unless every frame decodes. */
const decodeAll = (path: string) =>
  execa("ffmpeg", ["-nostdin", "-v", "error", "-xerror", "-i", path, "-f", "null", "-"]);

describe("a film is stored while it is made from the incoming stream", () => {
  test.for([
    ["film.mkv", {}, "mp4"],
    ["fragmented.mp4", {}, "mp4"],
    ["film.mpd", {}, "mp4"],
    ["film.mpd", { format: "mkv" }, "mkv"],
    ["film.mpd", { format: "mov" }, "mov"],
    ["film.mkv", { format: "mkv" }, "mkv"],
    ["film.ts", { format: "mkv" }, "mkv"],
  ] as const)("%s with %j", async ([path, options, container]) => {
    const job = start(path, options);
    const { timings } = await job.result;
    const stored = await storedFile(job);
    await decodeAll(stored);
    const { codecs, seconds: plays } = await probe(stored);
    expect(codecs).toEqual(["h264", "aac"]);
    expect(Math.abs(plays - seconds)).toBeLessThan(0.5);
    if (container !== "mkv") expect(playsFromStart(await walkBoxes(stored))).toBe(true);
    expect(job.link.facts[0]).toMatchObject({
      file_size: (await readFile(stored)).length,
      media: { container },
    });
    expect(job.logged).not.toContain(again);
    expect(media.faulty.requestsOf(job, "start")).toHaveLength(1);
    expect(media.faulty.requestsOf(job, "abort")).toHaveLength(0);
    expect(expectRisingPercent(job)).toBe(100);
    const steps = job.link.events.filter((event) => event.endsWith("ing"));
    expect(steps).toEqual(["Downloading", "Muxing", "Uploading"].filter((step) => steps.includes(step)));
    expect(timings.upload_ms).toBeGreaterThan(0);
    expect(await readdir(media.jobs.workFolder)).toEqual([]);
  });
});

test("parts of a film are stored before its source has ended", async () => {
  const film = await readFile(join(media.folder, "film.mkv"));
  const { promise: stored, resolve } = Promise.withResolvers<void>();
  media.faulty.treat(({ kind }) => {
    if (kind === "part") resolve();
    return "pass";
  });
  // The last megabyte is held back until a part arrives: without streaming, none ever would.
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-length": film.length });
    response.write(film.subarray(0, -1024 * 1024));
    void stored.then(() => response.end(film.subarray(-1024 * 1024)));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const job = start(`http://127.0.0.1:${listeningPort(server)}/film.mkv`);
  await job.result.finally(() => {
    server.closeAllConnections();
    server.close();
  });
  await decodeAll(await storedFile(job));
});

/** A program in place of ffmpeg that behaves differently when it reads from a pipe. */
async function fakeFfmpeg(name: string, lines: string): Promise<string> {
  const path = join(media.folder, name);
  const script = ["#!/bin/bash", 'if [[ "$*" != *pipe:3* ]]; then exec ffmpeg "$@"; fi', lines];
  await writeFile(path, script.join("\n"), { mode: 0o755 });
  return path;
}

describe("a film that could not be made from the stream is made again from the whole file", () => {
  const roomTooSmall = `
for given in "$@"; do
  [[ "$last" == -moov_size ]] && args+=(100) || args+=("$given")
  last="$given"
done
exec ffmpeg "\${args[@]}"`;

  test.for([
    ["the space for its index was too small", roomTooSmall],
    ["ffmpeg died in the middle", "head --bytes=3000000 <&3 >/dev/null; exit 1"],
    ["ffmpeg ended early without output", "head --bytes=3000000 <&3 >/dev/null"],
  ] as const)("because %s", async ([, lines]) => {
    const job = start("film.mkv", {}, { ffmpeg: await fakeFfmpeg("ffmpeg", lines) });
    await job.result;
    expect(job.logged).toContain(again);
    const stored = await storedFile(job);
    await decodeAll(stored);
    expect(playsFromStart(await walkBoxes(stored))).toBe(true);
    expect(media.faulty.requestsOf(job, "abort").length).toBe(
      media.faulty.requestsOf(job, "start").length - 1,
    );
    expectRisingPercent(job);
  });

  test("because its beginning is not enough to plan", async () => {
    const job = start("index-last.mp4", { format: "mkv" });
    await job.result;
    await decodeAll(await storedFile(job));
    expect(media.faulty.requestsOf(job, "abort")).toEqual([]);
  });
});

test("a film whose name turns out to be taken on completion is stored under the next one", async () => {
  media.takeFirstName();
  const job = start("film.mkv");
  await job.result;
  expect(job.link.events.filter((event) => event === "reserve key")).toHaveLength(2);
  await decodeAll(await storedFile(job));
});

describe("a film that fails leaves nothing", () => {
  const programs = async () => {
    const { stdout } = await execa("ps", ["-eo", "args"]);
    return stdout.split("\n").filter((line) => line.includes(media.jobs.workFolder));
  };
  const expectNothingLeft = async (job: TestJob) => {
    await media.expectNothingStored(job);
    expect(await programs()).toEqual([]);
    expect(await readdir(media.jobs.workFolder)).toEqual([]);
  };

  test("when its source breaks off every time", async () => {
    const job = start("cut/film.mkv");
    await expect(job.result).rejects.toMatchObject({ code: "source_error" });
    await expectNothingLeft(job);
  });

  test("when storage refuses a part", async () => {
    media.refuseSecondPart();
    const job = start("film.mkv");
    await expect(job.result).rejects.toMatchObject({ code: "storage_error", detail: "access was denied" });
    await expectNothingLeft(job);
  });

  test.for([
    ["while its source arrives", { path: "slow/film.mkv", from: "Downloading" }],
    [
      "while it is encoded",
      { path: "film.mkv", options: { video_codec: "vp9", video_quality: 0 }, from: "Muxing" },
    ],
  ] as const)("when it is stopped %s", async ([, { path, from, ...given }]) => {
    const reason = new Error("stopped by the test");
    const job = start(path, "options" in given ? given.options : {});
    const ended = expect(job.result).rejects.toBe(reason);
    await expect.poll(() => job.link.events, { timeout: 20_000 }).toContain(from);
    await expect.poll(() => job.link.progress.length, { timeout: 20_000 }).toBeGreaterThan(2);
    job.controller.abort(reason);
    await ended;
    await expectNothingLeft(job);
  });

  test("when it is stopped while its parts are in flight", async () => {
    const reason = new Error("stopped by the test");
    media.faulty.treat(({ kind }) => {
      if (kind !== "part") return "pass";
      setImmediate(() => job.controller.abort(reason));
      return "hang";
    });
    const job = start("film.mkv");
    await expect(job.result).rejects.toBe(reason);
    await expectNothingLeft(job);
  });
});
