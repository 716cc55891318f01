import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { failureText } from "../../../contracts/failure.ts";
import { createDiskBudget } from "../../../processor/disk/disk-budget.ts";
import { NoRoom } from "../../../processor/disk/no-room.ts";
import { playsFromStart, walkBoxes } from "../../../processor/containers/mp4/mp4-boxes.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { createPlaces } from "../../../processor/work/places.ts";
import { episodeTitle, mediaFiles, mediaSeconds, pageTitle } from "../../../scripts/origin/make-media.ts";
import { startOrigin } from "../../../scripts/origin/serve-origin.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";
import { oldTag } from "../containers/damage.ts";
import { sampleTask } from "../sample-task.ts";
import { startTestJobs, type TestJobs } from "./test-jobs.ts";

let jobs: TestJobs;

beforeAll(async () => {
  jobs = await startTestJobs();
});
afterAll(() => jobs.close());

const storedSchema = z.object({
  streams: z.array(
    z.object({
      codec_type: z.string(),
      codec_name: z.string(),
      disposition: z.object({ attached_pic: z.number() }),
    }),
  ),
  format: z.object({ duration: z.string() }),
});

/** The streams of the stored file, according to ffprobe. */
async function inspect(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), "ferry-test-stored-"));
  const path = join(folder, "stored");
  try {
    await writeFile(path, bytes);
    const entries = "stream=codec_type,codec_name:stream_disposition=attached_pic:format=duration";
    const { stdout } = await execa("ffprobe", ["-v", "error", "-of", "json", "-show_entries", entries, path]);
    const probe = storedSchema.parse(JSON.parse(stdout));
    return {
      streams: probe.streams
        .filter(({ disposition }) => disposition.attached_pic === 0)
        .map(({ codec_type, codec_name }) => `${codec_type} ${codec_name}`),
      seconds: Number(probe.format.duration),
      playsFromStart: playsFromStart(await walkBoxes(path)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("a good source ends in storage as the requested file", () => {
  const film = ["video h264", "audio aac"];
  test.for([
    ["an mp4 with its index at the end", mediaFiles.mp4, {}, "progressive.mp4", film],
    ["an mp4 from a server without ranges", `no-range/${mediaFiles.mp4}`, {}, "progressive.mp4", film],
    ["an mp4 with its index in front", mediaFiles.mp4IndexFirst, {}, "index-first.mp4", film],
    [
      "an mp4 whose connection breaks once",
      `cut-once/${mediaFiles.mp4IndexFirst}`,
      {},
      "index-first.mp4",
      film,
    ],
    ["an mp4 without audio", mediaFiles.mp4WithoutSound, {}, "silent.mp4", ["video h264"]],
    ["DASH with video and audio apart", mediaFiles.dash, {}, "manifest.mp4", film],
    ["HLS", mediaFiles.hls, {}, "master.mp4", film],
    ["a page with a video in it", mediaFiles.page, {}, `${pageTitle}.mp4`, film],
    ["a webm as mp4", mediaFiles.webm, {}, "video.mp4", ["video vp9", "audio opus"]],
    ["a webm as webm", mediaFiles.webm, { format: "webm" }, "video.webm", ["video vp9", "audio opus"]],
    ["an mkv as mp4", mediaFiles.mkv, {}, "video.mp4", film],
    ["an mkv as mkv", mediaFiles.mkv, { format: "mkv" }, "video.mkv", film],
    ["an mp4 as mov", mediaFiles.mp4, { format: "mov" }, "progressive.mov", film],
    ["an mp3", mediaFiles.mp3, {}, `${episodeTitle}.mp3`, ["audio mp3"]],
    ["an mp3 with a cover", mediaFiles.mp3WithCover, {}, `${episodeTitle}.mp3`, ["audio mp3"]],
    ["an m4a", mediaFiles.m4a, {}, `${episodeTitle}.m4a`, ["audio aac"]],
    ["an mp4 as mp3", mediaFiles.mp4, { format: "mp3" }, "progressive.mp3", ["audio mp3"]],
    ["the audio of a DASH film", mediaFiles.dash, { audio_only: true }, "manifest.m4a", ["audio aac"]],
    ["a film re-encoded", mediaFiles.webm, { format: "mov" }, "video.mov", film],
  ] as const)("%s", async ([, path, options, name, streams]) => {
    const { jobId, link, result } = jobs.start(path, options);
    const { timings } = await result;

    const [objectKey = ""] = await jobs.storedKeys(jobId);
    expect(objectKey).toBe(`${jobId}/${name}`);
    const { bytes } = await jobs.storage.get(objectKey);
    const stored = await inspect(bytes);
    expect(stored.streams).toEqual(streams);
    expect(Math.abs(stored.seconds - mediaSeconds)).toBeLessThan(1);
    if (/\.(mp4|mov|m4a)$/.test(name)) expect(stored.playsFromStart).toBe(true);

    const [facts] = link.facts;
    expect(facts?.file_size).toBe(bytes.length);
    expect(facts?.media.container).toBe(name.split(".").at(-1));
    const steps = link.events.filter((event) => event.endsWith("ing"));
    expect(steps).toEqual(["Downloading", "Muxing", "Uploading"].filter((step) => steps.includes(step)));
    expect(link.events.slice(-1)).toEqual(["publish"]);
    const percents = link.progress.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBe(100);
    expect(timings.upload_ms).toBeGreaterThanOrEqual(0);
    expect(await readdir(jobs.workFolder)).toEqual([]);
  });

  test.for([
    [mediaFiles.dash, {}, 720],
    [mediaFiles.hls, {}, 720],
    [mediaFiles.dash, { quality_preset: "lowest" }, 360],
    [mediaFiles.hls, { quality_preset: "lowest" }, 360],
  ] as const)("%s with %j is %i lines high", async ([path, options, height]) => {
    const { link, result } = jobs.start(path, options);
    await result;
    expect(link.facts[0]?.media).toMatchObject({ height, video_codec: "h264", audio_codec: "aac" });
  });

  test("a direct file in the asked container is stored byte for byte, after one request", async () => {
    const before = jobs.origin.requests.length;
    const { jobId, result } = jobs.start(mediaFiles.mp4IndexFirst);
    await result;
    const [objectKey = ""] = await jobs.storedKeys(jobId);
    const { bytes } = await jobs.storage.get(objectKey);
    const fetched = await fetch(`${jobs.origin.url}/${mediaFiles.mp4IndexFirst}`);
    expect(bytes.equals(Buffer.from(await fetched.arrayBuffer()))).toBe(true);
    expect(jobs.origin.requests.length - before).toBe(2);
  });
});

describe("a bad source fails the job, and leaves nothing", () => {
  const limits = { ...sampleTask().limits, source_silence_ms: 1500 };
  test.for([
    ["answers 404", "status/404", "video_unavailable", {}],
    ["answers 410", "status/410", "video_unavailable", {}],
    ["answers 403", "status/403", "sign_in_required", {}],
    ["answers 429", "status/429", "rate_limited", {}],
    ["falls silent", `stall/${mediaFiles.mp4}`, "connection_timeout", { limits }],
    ["breaks off halfway every time", `cut/${mediaFiles.mp4}`, "source_error", {}],
    ["is named like a video but is not one", "garbage/video.mp4", "invalid_media", {}],
    ["is only text", "text/words", "unsupported_url", {}],
    ["does not listen", "http://127.0.0.1:9/video.mp4", "connection_timeout", {}],
    ["is at a metadata address", "http://169.254.169.254/video.mp4", "unsupported_url", {}],
    ["redirects to a metadata address", "redirect?to=http://169.254.169.254/x.mp4", "unsupported_url", {}],
    ["is too large", mediaFiles.mp4, "too_large", { limits: { ...limits, source_file_bytes: 1000 } }],
    ["takes too long", `stall/${mediaFiles.mp4}`, "time_limit", { limits: { ...limits, time_left_ms: 300 } }],
    [
      "trickles beyond the deadline",
      `slow/${mediaFiles.mp4}?bytes_per_second=2000`,
      "time_limit",
      { limits: { ...limits, time_left_ms: 3000 } },
    ],
    [
      "is requested after the deadline",
      mediaFiles.mp4,
      "time_limit",
      { limits: { ...limits, time_left_ms: -1 } },
    ],
  ] as const)("one that %s", async ([, path, code, given]) => {
    const { jobId, link, result } = jobs.start(path, {}, given);
    const failure: unknown = await result.catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "JobFailure", code });
    const detail = failure instanceof JobFailure ? (failure.detail ?? "") : "";
    expect(failureText(code, detail)).not.toMatch(/yt.?dlp|ffmpeg|\/tmp|127\.0\.0\.1/i);
    expect(link.events).not.toContain("publish");
    expect(await jobs.storedKeys(jobId)).toEqual([]);
    expect(await readdir(jobs.workFolder)).toEqual([]);
  });

  test.for([
    ["only the audio of a film without audio", mediaFiles.mp4WithoutSound, { audio_only: true }],
    [
      "a copy into a container that does not support the codec",
      mediaFiles.webm,
      { format: "mov", video_codec: "copy" },
    ],
  ] as const)("%s is not available", async ([, path, options]) => {
    const { result } = jobs.start(path, options);
    await expect(result).rejects.toMatchObject({ code: "format_not_available" });
    expect(await readdir(jobs.workFolder)).toEqual([]);
  });
});

test("a file that is truncated on its server is rejected, whether or not it would be stored unchanged", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ferry-test-halves-"));
  const halves = await startOrigin({ folder });
  try {
    for (const [name, format] of [
      [mediaFiles.webm, "webm"],
      [mediaFiles.mkv, "mkv"],
      [mediaFiles.mkv, "mp4"],
      [mediaFiles.mp4IndexFirst, "mp4"],
      [mediaFiles.mp4IndexFirst, "mkv"],
      [mediaFiles.mp4, "mp4"],
      [mediaFiles.m4a, "mp4"],
    ] as const) {
      const whole = await readFile(join(testMediaFolder, name));
      await writeFile(join(folder, name), whole.subarray(0, whole.length / 2));
      const { result, link } = jobs.start(`${halves.url}/${name}`, { format });
      await expect(result, `${name} as ${format}`).rejects.toMatchObject({ code: "invalid_media" });
      expect(link.events).not.toContain("publish");
    }
  } finally {
    await halves.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a file with stray bytes before or after its media is stored", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ferry-test-more-"));
  const more = await startOrigin({ folder });
  const words = Buffer.from("<br />\n<b>Warning</b>: something is out of order");
  try {
    for (const [name, before, behind, streams] of [
      [mediaFiles.mp4, [], [words], ["video h264", "audio aac"]],
      [mediaFiles.mp4, [], [Buffer.alloc(5)], ["video h264", "audio aac"]],
      [mediaFiles.m4a, [], [oldTag], ["audio aac"]],
      [mediaFiles.mp3, [Buffer.from("\r\n\r\n")], [], ["audio mp3"]],
      [mediaFiles.mp3, [], [oldTag, words], ["audio mp3"]],
    ] as const) {
      const bytes = await readFile(join(testMediaFolder, name));
      await writeFile(join(folder, name), Buffer.concat([...before, bytes, ...behind]));
      const { result, jobId } = jobs.start(`${more.url}/${name}`);
      await result;
      const [objectKey = ""] = await jobs.storedKeys(jobId);
      const stored = await inspect((await jobs.storage.get(objectKey)).bytes);
      expect(stored.streams).toEqual(streams);
      expect(Math.abs(stored.seconds - mediaSeconds)).toBeLessThan(1);
      expect(stored.playsFromStart).toBe(name !== mediaFiles.mp3);
    }
  } finally {
    await more.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("audio of rarer kinds is stored in a container for its codec", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ferry-test-rare-"));
  const rare = await startOrigin({ folder });
  try {
    for (const [name, container, codec] of [
      ["rare.ac3", "mka", "ac3"],
      ["rare.eac3", "mka", "eac3"],
      ["rare.w64", "wav", "pcm"],
    ] as const) {
      await execa("ffmpeg", ["-v", "error", "-i", join(testMediaFolder, mediaFiles.mp3), join(folder, name)]);
      const { result, link } = jobs.start(`${rare.url}/${name}`);
      await result;
      expect(link.facts[0]?.media).toMatchObject({ container, audio_codec: codec });
      expect(link.facts[0]?.media.duration_seconds).toBeCloseTo(mediaSeconds, 0);
    }
  } finally {
    await rare.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("chained Vorbis is not copied into a container that holds only one stream", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ferry-test-chained-"));
  const chained = await startOrigin({ folder });
  try {
    const args = ["-i", join(testMediaFolder, mediaFiles.mp3), "-c:a", "libvorbis", "-f", "ogg", "pipe:1"];
    const { stdout } = await execa("ffmpeg", ["-nostdin", "-v", "error", ...args], { encoding: "buffer" });
    await writeFile(join(folder, "chained.ogg"), Buffer.concat([stdout, stdout]));
    await expect(jobs.start(`${chained.url}/chained.ogg`, { format: "mkv" }).result).rejects.toMatchObject({
      code: "format_not_available",
      detail: "the audio consists of several parts, which mkv cannot hold without re-encoding",
    });
    const { result, link } = jobs.start(`${chained.url}/chained.ogg`, { format: "mkv", audio_codec: "aac" });
    await result;
    expect(link.facts[0]?.media.duration_seconds).toBeCloseTo(2 * mediaSeconds, 0);
  } finally {
    await chained.close();
    await rm(folder, { recursive: true, force: true });
  }
});

describe("disk", () => {
  const diskBudget = (bytes: number) => createDiskBudget({ totalBytes: async () => bytes, waitMaxMs: 50 });

  test("is not used by a file that is stored unchanged", async () => {
    const none = { diskBudget: diskBudget(0) };
    const { link, result } = jobs.start(mediaFiles.mp4IndexFirst, {}, {}, none);
    await result;
    expect(link.facts[0]?.media.container).toBe("mp4");
  });

  test.for([
    ["a file that declares more", mediaFiles.mp4],
    ["separate streams", mediaFiles.dash],
  ] as const)("is not filled by %s", async ([, path]) => {
    const { jobId, result } = jobs.start(path, {}, {}, { diskBudget: diskBudget(100_000) });
    await expect(result).rejects.toMatchObject({ code: "too_large" });
    expect(await jobs.storedKeys(jobId)).toEqual([]);
    expect(await readdir(jobs.workFolder)).toEqual([]);
  });

  test("is not filled by the output made from a file that fits", async () => {
    const { size } = await stat(join(testMediaFolder, mediaFiles.mkv));
    const { result } = jobs.start(mediaFiles.mkv, {}, {}, { diskBudget: diskBudget(1.2 * size) });
    await expect(result).rejects.toMatchObject({ code: "too_large" });
    expect(await readdir(jobs.workFolder)).toEqual([]);
  });

  test("held by another job is waited for, for a while", async () => {
    const shared = diskBudget(100e6);
    await shared.within(async (other) => {
      other.takeNow(99.9e6);
      const { result } = jobs.start(mediaFiles.mp4, {}, {}, { diskBudget: shared });
      await expect(result).rejects.toBeInstanceOf(NoRoom);
    });
    await jobs.start(mediaFiles.mp4, {}, {}, { diskBudget: shared }).result;
    await shared.within((all) => all.reserve({ known: 100e6, likely: 0 }, new AbortController().signal));
  });
});

describe("a file system that is full", () => {
  let workFolder: string;
  beforeEach(async () => {
    workFolder = await mkdtemp(join(tmpdir(), "ferry-test-full-"));
    return () => rm(workFolder, { recursive: true, force: true });
  });
  const mount = (bytes: number) =>
    execa("mount", ["-t", "tmpfs", "-o", `size=${Math.round(bytes)}`, "tmpfs", workFolder], {
      reject: false,
    });

  test.for([
    ["the node's own write", 0.5, /^ENOSPC/],
    ["the write of a program", 1.4, /^muxing failed: .*No space left on device/s],
  ] as const)(
    "and hit by %s fails the job, and leaves nothing behind",
    async ([, room, message], { skip }) => {
      const { size } = await stat(join(testMediaFolder, mediaFiles.mkv));
      const mounted = await mount(room * size);
      if (mounted.exitCode !== 0) skip(`a full file system needs permission to mount one: ${mounted.stderr}`);
      try {
        const { jobId, link, result } = jobs.start(mediaFiles.mkv, {}, {}, { workFolder });
        await expect(result).rejects.toThrow(message);
        await expect(result).rejects.not.toBeInstanceOf(JobFailure);
        expect([link.events.includes("publish"), await jobs.storedKeys(jobId)]).toEqual([false, []]);
        expect(await readdir(workFolder)).toEqual([]);
      } finally {
        await execa("umount", [workFolder]);
      }
    },
  );
});

test("storage that refuses the file fails the job, and nothing is left on the node", async () => {
  const { result } = jobs.start(
    mediaFiles.mp3,
    {},
    { storage: { ...jobs.storage.access, bucket: "nowhere" } },
  );
  const failure = { code: "storage_error", detail: "the bucket does not exist" };
  await expect(result).rejects.toMatchObject(failure);
  expect(await readdir(jobs.workFolder)).toEqual([]);
});

describe("a job that is stopped", () => {
  const programs = async () => {
    const { stdout } = await execa("ps", ["-eo", "args"]);
    return stdout.split("\n").filter((line) => line.includes(jobs.workFolder));
  };

  test.for([
    ["downloads", `slow/${mediaFiles.mp4}`, {}, "Downloading"],
    ["downloads with a program", `slow/${mediaFiles.dash}`, {}, "Downloading"],
    ["encodes", mediaFiles.mp4, { video_codec: "vp9", video_quality: 0 }, "Muxing"],
  ] as const)("while it %s rejects with the reason and leaves nothing", async ([, path, options, step]) => {
    const { jobId, link, controller, result } = jobs.start(path, options);
    const ended = expect(result).rejects.toThrow("stopped by the test");
    await expect.poll(() => link.events.at(-1), { timeout: 20_000 }).toBe(step);
    if (step === "Muxing") await expect.poll(programs, { timeout: 20_000 }).not.toEqual([]);
    controller.abort(new Error("stopped by the test"));
    await ended;
    expect(await programs()).toEqual([]);
    expect(await readdir(jobs.workFolder)).toEqual([]);
    expect(await jobs.storedKeys(jobId)).toEqual([]);
  });
});

test("a complete file from an earlier attempt is adopted without a download", async () => {
  const first = jobs.start(mediaFiles.mp3);
  await first.result;
  const [objectKey = ""] = await jobs.storedKeys(first.jobId);
  const before = jobs.origin.requests.length;
  const earlier = {
    storage_key: `${episodeTitle}.mp3`,
    object_key: objectKey,
    upload_id: null,
    facts: first.link.facts[0] ?? null,
  };
  const second = jobs.start(mediaFiles.mp3, {}, { job_id: first.jobId, claim: 2, earlier });
  await second.result;
  expect(second.link.events).toEqual(["publish"]);
  expect(jobs.origin.requests.length).toBe(before);
});

test.for([
  ["downloads", mediaFiles.mp3, {}, []],
  ["encodes", mediaFiles.mp4, { video_codec: "h264", video_quality: 30 }, ["Downloading", "Muxing"]],
  ["uploads", mediaFiles.mp3, {}, ["Downloading"]],
] as const)(
  "a job waits for its turn while the node's %s are at their limit",
  async ([stage, path, options, before]) => {
    const free = { downloads: createPlaces(1), encodes: createPlaces(1), uploads: createPlaces(1) };
    const full = await free[stage].enter(new AbortController().signal);
    const waiting = vi.spyOn(free[stage], "enter");
    const { link, result, jobId } = jobs.start(path, options, {}, { places: free });
    await expect.poll(() => waiting.mock.calls.length, { timeout: 20_000 }).toBe(1);
    expect(link.events).toEqual(before);
    full();
    await result;
    expect(await jobs.storedKeys(jobId)).toHaveLength(1);
  },
);
