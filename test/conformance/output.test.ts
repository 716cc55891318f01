import { describe, expect, test } from "vitest";
import { episodeTitle, mediaFiles, mediaSeconds } from "../../scripts/origin/make-media.ts";
import { accountAtRest, ask, createJob, endOf, runJob } from "./support/api.ts";
import { probe } from "./support/probe.ts";
import { media } from "./support/target.ts";

/** H.264 of few pixels, for what has to be encoded. */
const smallVideo = "hls/0.m3u8";

/** Runs a job that must complete; returns its file and extension. */
async function fileOf(fields: object) {
  const job = await runJob(fields);
  expect(job.status, job.error).toBe("Completed");
  return { job, extension: job.storage_key.split(".").pop(), ...(await probe(job.storage_url)) };
}

describe("what can be fetched", () => {
  test.each([
    ["a media file", mediaFiles.mp4],
    ["HLS", mediaFiles.hls],
    ["DASH, video and audio apart", mediaFiles.dash],
    ["a page with a video in it", mediaFiles.page],
  ])("%s [sources, default-format, mux-streams]", async (_, path) => {
    const file = await fileOf({ url: media(path) });
    expect(file.containers).toContain("mp4");
    expect([file.video, file.audio]).toEqual([["h264"], ["aac"]]);
    expect(Math.abs(file.seconds - mediaSeconds)).toBeLessThan(1);
  });
});

describe("quality", () => {
  test("is the best available without a preset [preference-order]", async () => {
    expect((await fileOf({ url: media(mediaFiles.hls) })).height).toBe(720);
  });

  test.each([
    ["low", 360],
    ["lowest", 360],
    ["medium", 720],
  ])("%s caps the shorter side [preset-cap]", async (preset, height) => {
    const file = await fileOf({ url: media(mediaFiles.dash), quality_preset: preset });
    expect(file.height).toBe(height);
  });

  test("a preset sets the quality of an encoding, unless one is specified [preset-quality]", async () => {
    const created = { url: media(mediaFiles.mp3), quality_preset: "lowest" };
    expect((await endOf(await createJob(created))).options.video_quality).toBe(32);
    expect((await endOf(await createJob({ ...created, video_quality: 10 }))).options.video_quality).toBe(10);
  });
});

describe("sidecar files", () => {
  test("include a thumbnail if requested, and count only towards storage usage [thumbnail, sidecars-usage]", async () => {
    await accountAtRest();
    const storedBytes = async () => (await ask("GET", "/dashboard/stats")).body.storage_used_bytes;
    const before = await storedBytes();
    const job = await runJob({ url: media(mediaFiles.mp4), download_thumbnail: true });
    const after = await storedBytes();

    const response = await fetch(job.thumbnail_url);
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    const picture = Buffer.from(await response.arrayBuffer());
    expect(picture.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(after).toBe(before + job.file_size + picture.length);
  });

  test("do not exist if the source has none, and the job completes [sidecars-none]", async () => {
    const asked = { download_subtitles: true, download_thumbnail: true };
    const job = await runJob({ url: media(mediaFiles.mp3), ...asked });
    expect(job).toMatchObject({
      status: "Completed",
      subtitles: [],
      subtitle_url: null,
      thumbnail_url: null,
    });
  });
});

describe("containers and codecs", () => {
  test.each([
    ["mkv", mediaFiles.mp4, "matroska", "h264", "aac"],
    ["mov", mediaFiles.mp4, "mov", "h264", "aac"],
    ["webm", smallVideo, "webm", "vp9", "opus"],
  ])(
    "%s keeps the streams it supports, the rest is encoded [containers, video-fallback, audio-fallback]",
    async (format, source, container, video, audio) => {
      const file = await fileOf({ url: media(source), format });
      expect(file.containers).toContain(container);
      expect([file.extension, file.video, file.audio]).toEqual([format, [video], [audio]]);
    },
  );

  test("a requested encoding is made [encode]", async () => {
    const options = {
      video_codec: "h265",
      audio_codec: "opus",
      audio_bitrate: "64k",
      video_quality: 40,
      format: "mkv",
    };
    const file = await fileOf({ url: media(smallVideo), ...options });
    expect([file.video, file.audio]).toEqual([["hevc"], ["opus"]]);
  });

  test("an explicit copy that is impossible fails [explicit-copy]", async () => {
    const job = await runJob({ url: media(mediaFiles.mp4), format: "webm", video_codec: "copy" });
    expect([job.status, job.error_code]).toEqual(["Failed", "format_not_available"]);
    expect(job.error).toMatch(/^Format not available/);
  });
});

describe("audio only", () => {
  test.each([
    ["an mp3 podcast", mediaFiles.mp3, {}, "mp3", "mp3"],
    ["one with a cover, which is not video", mediaFiles.mp3WithCover, {}, "mp3", "mp3"],
    ["an m4a podcast", mediaFiles.m4a, {}, "m4a", "aac"],
    ["audio_only of a film", mediaFiles.mp4, { audio_only: true }, "m4a", "aac"],
    ["audio_only as mp4", mediaFiles.mp4, { audio_only: true, format: "mp4" }, "m4a", "aac"],
    ["audio_only as mkv", mediaFiles.mp4, { audio_only: true, format: "mkv" }, "mka", "aac"],
    ["audio_only as webm", mediaFiles.mp4, { audio_only: true, format: "webm" }, "webm", "opus"],
    ["audio_only with a codec", mediaFiles.mp4, { audio_only: true, audio_codec: "opus" }, "opus", "opus"],
    ["mp3 of a film", mediaFiles.mp4, { format: "mp3" }, "mp3", "mp3"],
    ["a format for sound alone", mediaFiles.mp3, { format: "mkv" }, "mkv", "mp3"],
  ])("%s [audio-files]", async (_, path, options, extension, codec) => {
    const file = await fileOf({ url: media(path), ...options });
    expect([file.extension, file.video, file.audio]).toEqual([extension, [], [codec]]);
  });

  test("a source without audio yields only video, and no audio [without-audio]", async () => {
    const file = await fileOf({ url: media(mediaFiles.mp4WithoutSound) });
    expect([file.video, file.audio]).toEqual([["h264"], []]);
    const job = await runJob({ url: media(mediaFiles.mp4WithoutSound), audio_only: true });
    expect(job.error_code).toBe("format_not_available");
  });
});

describe("names", () => {
  const url = media(mediaFiles.mp3);

  test.each([
    ["What? A/B <test>: 50% & more!", "What AB test 50 & more!.mp3"],
    ["  Größe   №5  ", "Größe 5.mp3"],
    ["...hidden...", "hidden.mp3"],
    ["Episode 1.mp3", "Episode 1.mp3"],
    ["Cafe\u0301", "Café.mp3"],
  ])("%j is stored as %j [filename]", async (filename, name) => {
    const { job } = await fileOf({ url, filename, folder: `names-${crypto.randomUUID()}` });
    expect(job.storage_key.split("/").pop()).toBe(name);
  });

  test("are cut to 180 bytes on a character [filename-length]", async () => {
    const { job } = await fileOf({ url, filename: "ü".repeat(200), folder: `long-${crypto.randomUUID()}` });
    expect(job.storage_key.split("/").pop()).toBe(`${"ü".repeat(90)}.mp3`);
  });

  test("fall back to the media's title if nothing is left [filename-fallback]", async () => {
    const folder = `title-${crypto.randomUUID()}`;
    const { job } = await fileOf({ url, filename: "???", folder });
    expect([`${folder}/${episodeTitle}.mp3`, `${folder}/episode.mp3`]).toContain(job.storage_key);
  });

  test("of two files are never equal [unique-keys, storage-key]", async () => {
    const folder = `same-${crypto.randomUUID()}`;
    const first = await fileOf({ url, folder, filename: "Same" });
    const others = await Promise.all([1, 2].map(() => fileOf({ url, folder, filename: "Same" })));
    expect(first.job.storage_key).toBe(`${folder}/Same.mp3`);
    const keys = others.map(({ job }) => job.storage_key).toSorted((a, b) => a.localeCompare(b));
    expect(keys).toEqual([`${folder}/Same (2).mp3`, `${folder}/Same (3).mp3`]);
  });
});

test("a file is served with its type and its name to anybody who has its URL [presigned, disposition]", async () => {
  const { job } = await fileOf({
    url: media(mediaFiles.mp3),
    filename: "Größe",
    folder: `get-${crypto.randomUUID()}`,
  });
  const answer = await fetch(job.storage_url);
  expect(answer.status).toBe(200);
  expect((await answer.bytes()).length).toBe(job.file_size);
  expect(answer.headers.get("content-type")).toBe("audio/mpeg");
  expect(answer.headers.get("content-disposition")).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe.mp3");
  expect(new URL(job.storage_url).searchParams.get("X-Amz-Expires")).toBe("86400");
});
