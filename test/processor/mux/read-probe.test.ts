import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { readProbe } from "../../../processor/mux/read-probe.ts";

const noHead = new Uint8Array();
const webmHead = Buffer.from("1a45dfa39f4286810142f7810142f2810442f381084282847765626d", "hex");
const read = (format: object, streams: readonly object[] = [], head: Uint8Array = noHead) =>
  readProbe(JSON.stringify({ format, streams }), head);

test("variants of one demuxer are distinguished by brand and by document type", () => {
  const mov = "mov,mp4,m4a,3gp,3g2,mj2";
  expect(read({ format_name: mov, tags: { major_brand: "qt  " } })?.kind).toBe("mov");
  expect(read({ format_name: mov, tags: { major_brand: "isom" } })?.kind).toBe("mp4");
  expect(read({ format_name: mov })?.kind).toBe("mp4");
  expect(read({ format_name: "matroska,webm" }, [], webmHead)?.kind).toBe("webm");
  expect(read({ format_name: "matroska,webm" })?.kind).toBe("matroska");
});

test("a title is cut to 500 characters", () => {
  const tags = { title: "\u{1F30A}".repeat(100_000) };
  expect(read({ format_name: "mp3", tags })?.title).toBe("\u{1F30A}".repeat(500));
});

test("an unsupported kind is null", () => {
  expect(read({ format_name: "hls" })).toBeNull();
  expect(read({ format_name: "toString" })).toBeNull();
});

test("streams have their own names and durations, and covers are left out", () => {
  const streams = [
    { index: 0, codec_type: "video", codec_name: "mjpeg", disposition: { attached_pic: 1 } },
    {
      index: 1,
      codec_type: "video",
      codec_name: "hevc",
      width: 1920,
      height: 1080,
      avg_frame_rate: "30000/1001",
      duration: "60.5",
    },
    {
      index: 2,
      codec_type: "audio",
      codec_name: "pcm_s24be",
      channels: 6,
      tags: { DURATION: "00:01:01.250000000", BPS: "2304000", language: "deu" },
      sample_rate: "96000",
      disposition: { default: 1 },
    },
    { index: 3, codec_type: "audio", codec_name: "wmav2" },
    { index: 4, codec_type: "subtitle", codec_name: "mov_text", disposition: { forced: 1 } },
    { index: 5, codec_type: "subtitle", codec_name: "hdmv_pgs_subtitle" },
  ];
  const media = read(
    { format_name: "asf", duration: "62.0", bit_rate: "1000", tags: { title: " A talk " } },
    streams,
  );
  expect(media).toMatchObject({ kind: "asf", title: "A talk", durationSeconds: 62, bitrateBps: 1000 });
  expect(media).toMatchObject({ hasCover: true, hasOtherStreams: true });
  expect(media?.subtitles).toEqual([{ index: 4, language: null, isForced: true }]);
  expect(media?.video).toEqual([
    {
      index: 1,
      codec: "h265",
      codecName: "hevc",
      isDefault: false,
      bitrateBps: null,
      isUniform: true,
      saysOrder: true,
      saysParameters: true,
      width: 1920,
      height: 1080,
      framesPerSecond: 30_000 / 1001,
      durationSeconds: 60.5,
    },
  ]);
  expect(media?.audio).toEqual([
    {
      index: 2,
      codec: "pcm",
      codecName: "pcm_s24be",
      isUniform: true,
      isDefault: true,
      bitrateBps: 2_304_000,
      channels: 6,
      language: "deu",
      rateHz: 96_000,
      durationSeconds: 61.25,
    },
    {
      index: 3,
      codec: "other",
      codecName: "wmav2",
      isUniform: true,
      isDefault: false,
      bitrateBps: null,
      channels: null,
      language: null,
      rateHz: null,
      durationSeconds: 62,
    },
  ]);
});

test("unknown values are null, and never zero", () => {
  const media = read({ format_name: "mp3", duration: "N/A" }, [
    { index: 0, codec_type: "audio", codec_name: "mp3", channels: 0 },
  ]);
  expect(media).toMatchObject({ durationSeconds: null, bitrateBps: null, title: null });
  expect(media?.audio[0]).toMatchObject({ channels: null, durationSeconds: null });
});

test.for([
  ["gpac-h265.mp4", true],
  ["gpac-h265-inband.mp4", false],
] as const)("whether %s describes its parameter sets: %s", async ([name, saysParameters]) => {
  const path = join(import.meta.dirname, "../other-packagers", name);
  const { signal } = new AbortController();
  const media = await probeMedia(path, { ffmpeg: "ffmpeg", ffprobe: "ffprobe", folder: tmpdir(), signal });
  expect(media.video).toMatchObject([{ codec: "h265", saysParameters }]);
});
