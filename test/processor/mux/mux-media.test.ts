import { copyFile, mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EncodingOptions } from "../../../contracts/encoding-options.ts";
import { inputDelays } from "../../../processor/mux/input-delays.ts";
import { expectedDuration } from "../../../processor/verify/expected-duration.ts";
import type { Workshop } from "../../../processor/mux/media.ts";
import { muxMedia } from "../../../processor/mux/mux-media.ts";
import { playsFromStart, walkBoxes } from "../../../processor/containers/mp4/mp4-boxes.ts";
import { planOutput } from "../../../processor/mux/plan-output.ts";
import { playedSeconds } from "../../../processor/verify/played-seconds.ts";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { verifyOutput } from "../../../processor/verify/verify-output.ts";
import { makeMedia, mediaFiles, mediaSeconds } from "../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";
import { options } from "./sample-media.ts";

let folder: string;
let workshop: Workshop;
beforeAll(() => makeMedia(testMediaFolder));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-mux-"));
  workshop = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", folder, signal: new AbortController().signal };
  return () => rm(folder, { recursive: true, force: true });
});

const sample = (name: keyof typeof mediaFiles) => join(testMediaFolder, mediaFiles[name]);

/** The file as the pipeline produces it, verified. */
async function make(paths: readonly string[], given: Partial<EncodingOptions> = {}) {
  const probed = await Promise.all(paths.map((path) => probeMedia(path, workshop)));
  const plan = planOutput(probed, options(given));
  const delays = inputDelays(probed);
  const inputs = paths.map((path, index) => ({
    path,
    kind: probed[index]?.kind ?? "mp4",
    delaySeconds: delays[index] ?? 0,
  }));
  const outputPath = join(folder, `output.${plan.container}`);
  const seconds: number[] = [];
  const onSeconds = (done: number) => void seconds.push(done);
  await muxMedia({ inputs, plan, outputPath, outputMaxBytes: 1e9, onSeconds }, workshop);
  const expected = expectedDuration(probed, plan, null);
  const verified = await verifyOutput(outputPath, plan, expected, workshop);
  return { ...verified, outputPath, seconds };
}

/** When each packet is shown, in seconds. */
async function timesOf(path: string): Promise<number[]> {
  const asked = ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path];
  const { stdout } = await execa("ffprobe", asked);
  return stdout
    .split("\n")
    .map((line) => Number.parseFloat(line))
    .toSorted((one, other) => one - other);
}

async function ffmpeg(...args: string[]): Promise<void> {
  await execa("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args], { cwd: folder });
}

test("a recording with a variable frame rate keeps its frames, each at its time, when encoded", async () => {
  const uneven = ["-vf", "select=eq(mod(n\\,97)\\,0)+eq(mod(n\\,41)\\,0)", "-fps_mode", "vfr"];
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=64x36:rate=1000:duration=2"];
  await ffmpeg(...picture, ...uneven, "-c:v", "libvpx", "-deadline", "realtime", "recorded.webm");
  const recorded = join(folder, "recorded.webm");
  const times = await timesOf(recorded);
  expect(times.length).toBeGreaterThan(50);
  for (const video_codec of ["h264", "h265", "vp9"] as const) {
    const { outputPath } = await make([recorded], { video_codec });
    const made = await timesOf(outputPath);
    expect(made.length).toBe(times.length);
    for (const [index, time] of made.entries()) expect(time).toBeCloseTo(times[index] ?? NaN, 2);
  }
});

describe("each format, with streams copied if it supports them", () => {
  test.for([
    ["mp4", "mp4", "h264", "aac"],
    ["mp4", "mov", "h264", "aac"],
    ["mp4", "mkv", "h264", "aac"],
    ["webm", "webm", "vp9", "opus"],
    ["webm", "mp4", "vp9", "opus"],
    ["webm", "mkv", "vp9", "opus"],
    ["mkv", "mp4", "h264", "aac"],
    ["mp4", "mp3", null, "mp3"],
    ["mp3", "mp3", null, "mp3"],
    ["mp3", "mp4", null, "mp3"],
    ["m4a", "mov", null, "aac"],
    ["m4a", "mkv", null, "aac"],
  ] as const)("%s as %s", async ([from, format, videoCodec, audioCodec]) => {
    const { media, fileBytes } = await make([sample(from)], { format });
    expect(media).toMatchObject({ container: format, video_codec: videoCodec, audio_codec: audioCodec });
    expect(Math.abs((media.duration_seconds ?? 0) - mediaSeconds)).toBeLessThan(1);
    expect(fileBytes).toBeGreaterThan(10_000);
  });

  test("a podcast's cover is not taken for video", async () => {
    const { media } = await make([sample("mp3WithCover")]);
    expect(media).toMatchObject({ container: "mp3", video_codec: null, audio_codec: "mp3", width: null });
  });

  test("audio alone of a film", async () => {
    const { media } = await make([sample("mp4")], { audio_only: true });
    expect(media).toMatchObject({ container: "m4a", video_codec: null, audio_codec: "aac" });
  });

  test("video and audio of two files", async () => {
    const { media } = await make([sample("mp4WithoutSound"), sample("m4a")]);
    expect(media).toMatchObject({ video_codec: "h264", audio_codec: "aac", width: 640, height: 360 });
  });

  test("audio in a separate file that starts later than the video still does", async () => {
    const shift = (seconds: number) => ["-muxdelay", "0", "-output_ts_offset", String(seconds)];
    await ffmpeg("-i", sample("mp4"), "-an", "-c", "copy", ...shift(1), "picture.ts");
    await ffmpeg("-i", sample("mp4"), "-vn", "-c", "copy", ...shift(3), "sound.ts");
    const { outputPath } = await make([join(folder, "picture.ts"), join(folder, "sound.ts")]);
    const entries = ["-show_entries", "stream=start_time", "-of", "csv=p=0", outputPath];
    const { stdout } = await execa("ffprobe", ["-v", "error", ...entries]);
    const [picture = NaN, sound = NaN] = stdout.split("\n").map(Number);
    expect(sound - picture).toBeCloseTo(2, 1);
  });

  test("the index is in front, and progress is reported", async () => {
    const { outputPath, seconds } = await make([sample("mp4")]);
    expect(playsFromStart(await walkBoxes(outputPath))).toBe(true);
    expect(seconds.at(-1)).toBeGreaterThan(mediaSeconds - 1);
  });
});

describe("each encoder", () => {
  test.for([
    ["h264", "mp4", { video_codec: "h264" }],
    ["h265", "mov", { video_codec: "h265", format: "mov" }],
    ["vp9", "webm", { video_codec: "vp9", format: "webm" }],
    ["h264", "mp4", { video_codec: "h264", video_quality: 0 }],
    ["h265", "mkv", { video_codec: "h265", video_quality: 51, format: "mkv" }],
  ] as const)("%s into %s with %j", async ([codec, container, given]) => {
    const odd = join(folder, "odd.mkv");
    await ffmpeg("-f", "lavfi", "-i", "testsrc=size=321x181:rate=10:duration=2", "-c:v", "ffv1", odd);
    const { media } = await make([odd], given);
    expect(media).toMatchObject({ container, video_codec: codec, width: 320, height: 180 });
  });

  test.for([
    ["aac", "m4a", 6],
    ["opus", "opus", 6],
    ["mp3", "mp3", 6],
    ["opus", "opus", 1],
    ["aac", "m4a", 1],
  ] as const)("%s into %s from %i channels at the highest bitrate", async ([codec, container, channels]) => {
    const wav = join(folder, "sound.wav");
    const layout = channels === 6 ? "5.1(side)" : "mono";
    const source = `anoisesrc=duration=2:sample_rate=44100,aformat=channel_layouts=${layout}`;
    await ffmpeg("-f", "lavfi", "-i", source, wav);
    const { media } = await make([wav], { audio_codec: codec, audio_bitrate: "320k" });
    expect(media).toMatchObject({ container, audio_codec: codec });
  });
});

describe("audio in its own codec's usual file", () => {
  test.for([
    ["flac", ["-c:a", "flac", "x.flac"], "flac"],
    ["ogg", ["-c:a", "libvorbis", "x.ogg"], "vorbis"],
    ["opus", ["-c:a", "libopus", "x.ogg"], "opus"],
    ["wav", ["-c:a", "pcm_s16le", "x.wav"], "pcm"],
    ["wav", ["-c:a", "pcm_s24be", "x.aiff"], "pcm"],
    ["m4a", ["-c:a", "aac", "-f", "adts", "x.aac"], "aac"],
    ["mka", ["-c:a", "alac", "-f", "ipod", "x.m4a"], "alac"],
  ] as const)("%s from %j", async ([container, encoding, codec]) => {
    await ffmpeg("-f", "lavfi", "-i", "sine=frequency=440:duration=2", ...encoding);
    const { media } = await make([join(folder, encoding.at(-1) ?? "")]);
    expect(media).toMatchObject({ container, audio_codec: codec });
  });
});

test("frames of an avi are shown in their order", async () => {
  const pictures = ["-f", "lavfi", "-i", "testsrc=size=160x90:rate=25:duration=2"];
  await ffmpeg(...pictures, "-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p", "x.avi");
  const { outputPath } = await make([join(folder, "x.avi")]);
  const entries = ["-select_streams", "v", "-show_entries", "packet=pts,dts", "-of", "csv=p=0", outputPath];
  const { stdout } = await execa("ffprobe", ["-v", "error", ...entries]);
  const times = stdout.split("\n").map((line) => line.split(","));
  expect(times.length).toBeGreaterThanOrEqual(49);
  expect(times.some(([shown, read]) => shown !== read)).toBe(true);
});

describe("the duration of a file that does not declare it", () => {
  test.for([
    ["mp3", ["-c:a", "libmp3lame", "-q:a", "2", "-write_xing", "0", "-id3v2_version", "0", "x.mp3"]],
    ["flac", ["-c:a", "flac", "x.ogg"]],
  ] as const)("of %s is found by reading it", async ([container, encoding]) => {
    // Half of it is silence: its bitrate at the beginning is a tenth of the average.
    const source = "aevalsrc=if(lt(t\\,10)\\,0\\,random(0)*0.8):d=20:s=44100";
    await ffmpeg("-f", "lavfi", "-i", source, ...encoding);
    const { media, outputPath } = await make([join(folder, encoding.at(-1) ?? "")]);
    expect(media.container).toBe(container);
    if (container === "flac") {
      expect((await probeMedia(outputPath, workshop)).durationSeconds).toBeCloseTo(20, 1);
    }
    expect(Math.abs((media.duration_seconds ?? 0) - 20)).toBeLessThan(0.2);
    expect(media.bitrate_bps).toBeGreaterThan(10_000);
  });
});

describe("incomplete or invalid media", () => {
  const invalid = { code: "invalid_media" };

  test.for(["mkv", "webm", "mp4IndexFirst"] as const)("a truncated %s is rejected", async (name) => {
    const cut = join(folder, "cut");
    await copyFile(sample(name), cut);
    await truncate(cut, 100_000);
    await expect(make([cut])).rejects.toMatchObject(invalid);
  });

  test.for(["mkv", "webm"] as const)("a truncated %s plays shorter than it declares", async (name) => {
    const cut = join(folder, "cut");
    await copyFile(sample(name), cut);
    await truncate(cut, 100_000);
    const { kind, durationSeconds } = await probeMedia(cut, workshop);
    expect(durationSeconds).toBeGreaterThan(mediaSeconds - 1);
    expect(await playedSeconds({ path: cut, kind }, workshop)).toBeLessThan(mediaSeconds - 1);
    expect(await playedSeconds({ path: sample(name), kind }, workshop)).toBeGreaterThan(mediaSeconds - 1);
  });

  test("text, an empty file and an image are rejected", async () => {
    const path = join(folder, "file.mp4");
    for (const content of ["these bytes are not media; ".repeat(1000), ""]) {
      await writeFile(path, content);
      await expect(make([path])).rejects.toMatchObject(invalid);
    }
    await ffmpeg("-f", "lavfi", "-i", "color=size=32x32", "-frames:v", "1", "picture.png");
    await expect(make([join(folder, "picture.png")])).rejects.toMatchObject(invalid);
  });

  test("a list of other files is rejected, whatever its name", async () => {
    const list = join(folder, "video.mp4");
    await mkdir(join(folder, "hls"));
    await copyFile(join(testMediaFolder, "hls", "0-000.ts"), join(folder, "hls", "secret.ts"));
    await writeFile(list, "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhls/secret.ts\n#EXT-X-ENDLIST\n");
    await expect(make([list])).rejects.toMatchObject(invalid);
    await writeFile(list, `ffconcat version 1.0\nfile hls/secret.ts\n`);
    await expect(make([list])).rejects.toMatchObject(invalid);
  });

  test("streams that do not decode are rejected", async () => {
    const noise = join(folder, "noise.mkv");
    // Packets with all their bytes changed, in a valid container.
    await ffmpeg("-i", sample("mkv"), "-c", "copy", "-bsf", "noise=amount=1", noise);
    await expect(make([noise])).rejects.toMatchObject(invalid);
  });
});

test("an abort ends the program at once, with its reason", async () => {
  const controller = new AbortController();
  const stop = new Error("cancelled");
  const source = { path: sample("mp4"), kind: "mp4", delaySeconds: 0 } as const;
  const probed = await probeMedia(source.path, workshop);
  const plan = planOutput([probed], options({ video_codec: "vp9", video_quality: 0 }));
  const outputPath = join(folder, "output.mp4");
  const onSeconds = () => controller.abort(stop);
  const mux = { inputs: [source], plan, outputPath, outputMaxBytes: 1e9, onSeconds };
  await expect(muxMedia(mux, { ...workshop, signal: controller.signal })).rejects.toBe(stop);
});

test("a file that exceeds its limit is too large", async () => {
  const source = { path: sample("mp4"), kind: "mp4", delaySeconds: 0 } as const;
  const plan = planOutput([await probeMedia(source.path, workshop)], options({ format: "mkv" }));
  const outputPath = join(folder, "output.mkv");
  const mux = { inputs: [source], plan, outputPath, outputMaxBytes: 10_000, onSeconds: () => {} };
  await expect(muxMedia(mux, workshop)).rejects.toMatchObject({ code: "too_large" });
});

test("media are not blamed if the program that makes a file finds the disk full", async () => {
  const path = sample("mp4");
  const probed = await probeMedia(path, workshop);
  const plan = planOutput([probed], options({}));
  const inputs = [{ path, kind: probed.kind, delaySeconds: 0 }];
  const full = { inputs, plan, outputPath: "/dev/full", outputMaxBytes: 1e9, onSeconds: () => undefined };
  const muxed = muxMedia(full, workshop);
  await expect(muxed).rejects.toThrow(/No space left on device/);
  await expect(muxed).rejects.not.toBeInstanceOf(JobFailure);
});
