import { expect, test } from "vitest";
import { guessedFile, onlyMedium, sourceOfMedium } from "../../../processor/source/media-info.ts";

const url = "https://media.example/v";
const http = { protocol: "https", url };

function formatOf(format: object) {
  return sourceOfMedium({ title: "t", formats: [{ format_id: "f", ...http, ...format }] }).formats[0];
}

test.each([
  ["avc1.640028", "h264"],
  ["h264", "h264"],
  ["hvc1.1.6.L93.90", "h265"],
  ["hev1.2.4", "h265"],
  ["vp8.0", "vp8"],
  ["vp8", "vp8"],
  ["vp09.00.51.08", "vp9"],
  ["vp9.2", "vp9"],
  ["av01.0.08M.08", "av1"],
  ["mp4v.20.3", "other"],
  [null, "unknown"],
  [undefined, "unknown"],
])("video codec %s is %s", (vcodec, expected) => {
  expect(formatOf({ vcodec, acodec: "none" })?.videoCodec).toBe(expected);
});

test.each([
  ["mp4a.40.2", "aac"],
  ["mp4a.40.5", "aac"],
  ["aac", "aac"],
  ["mp4a.69", "mp3"],
  ["mp4a.6B", "mp3"],
  ["mp3", "mp3"],
  ["opus", "opus"],
  ["vorbis", "vorbis"],
  ["flac", "flac"],
  ["pcm_s16le", "pcm"],
  ["ec-3", "other"],
  [null, "unknown"],
])("audio codec %s is %s", (acodec, expected) => {
  expect(formatOf({ vcodec: "none", acodec })?.audioCodec).toBe(expected);
});

test("the bitrate of audio alone defaults to the stream's, and 0 means none", () => {
  expect(formatOf({ vcodec: "none", acodec: "opus", tbr: 130.5 })?.audioBitrateBps).toBe(130_500);
  expect(formatOf({ vcodec: "none", acodec: "opus", abr: 128, tbr: 130.5 })?.audioBitrateBps).toBe(128_000);
  expect(formatOf({ vcodec: "avc1", acodec: "mp4a", abr: 0, tbr: 2000 })?.audioBitrateBps).toBeNull();
});

test("each protocol is fetched by the part responsible for it, and unguarded ones not at all", () => {
  expect(formatOf({ protocol: "http" })?.protocol).toBe("file");
  expect(formatOf({ protocol: "m3u8" })?.protocol).toBe("playlist");
  expect(formatOf({ protocol: "m3u8_native" })?.protocol).toBe("playlist");
  expect(formatOf({ cookies: "a=b; Domain=media.example" })?.protocol).toBe("program");
  const beyondGet = [
    { extra_param_to_segment_url: "key=1" },
    { extra_param_to_key_url: "key=1" },
    { hls_aes: { key: "00" } },
    { hls_media_playlist_data: "#EXTM3U" },
    { request_data: "a=b" },
  ];
  for (const more of beyondGet)
    expect(formatOf({ protocol: "m3u8_native", ...more })?.protocol).toBe("program");
  for (const protocol of ["http_dash_segments", "http_dash_segments_generator", "ism", "f4m", "bunnycdn"]) {
    expect(formatOf({ protocol })?.protocol).toBe("program");
  }
  for (const protocol of ["rtmp", "rtsp", "mms", "ftp", "websocket_frag", "mhtml", "file"]) {
    expect(() => formatOf({ protocol })).toThrow(expect.objectContaining({ code: "unsupported_url" }));
  }
});

test("fragments are listed by their URLs, absolute or relative to a common one", () => {
  const listed = (fragments: object[], base?: string) =>
    formatOf({ protocol: "http_dash_segments", fragments, fragment_base_url: base });
  const base = "https://media.example/show/";
  expect(listed([{ path: "init.mp4" }, { url: "https://other.example/1.m4s" }], base)).toMatchObject({
    protocol: "fragments",
    fragments: ["init.mp4", "https://other.example/1.m4s"],
    fragmentBase: base,
  });
  expect(listed([{ path: "init.mp4" }])).toMatchObject({ protocol: "program", fragments: [] });
  expect(listed([{ duration: 2 }], base)).toMatchObject({ protocol: "program", fragments: [] });
});

test("fragments play for at least as long as the declared durations of all but one", () => {
  const listed = (...durations: (number | null)[]) =>
    formatOf({
      protocol: "http_dash_segments",
      fragments: durations.map((duration, index) => ({ url: `https://media.example/${index}`, duration })),
    })?.listedSeconds;
  expect(listed(null, 2, 2, 2)).toBe(4);
  expect(listed(2, 3, 2)).toBe(4);
  expect(listed(null, 2, null, 2)).toBeNull();
  expect(listed(null)).toBeNull();
  const fragments = Array.from({ length: 500_000 }, (_, index) => ({ path: String(index), duration: 2 }));
  const many = { protocol: "http_dash_segments", fragments, fragment_base_url: "https://media.example/" };
  expect(formatOf(many)?.listedSeconds).toBe(999_998);
});

test("size, headers, language and the source's preferred range are kept", () => {
  expect(
    formatOf({
      filesize_approx: 1000,
      http_headers: { Referer: url },
      language_preference: -1,
      downloader_options: { http_chunk_size: 10_485_760 },
    }),
  ).toMatchObject({ bytes: 1000, headers: { Referer: url }, languagePreference: -1, rangeBytes: 10_485_760 });
});

test("storyboards and protected formats are left out", () => {
  const formats = [
    { format_id: "sb0", protocol: "mhtml", url, vcodec: "none", acodec: "none" },
    { format_id: "none", ...http, vcodec: "none", acodec: "none" },
    { format_id: "drm", ...http, vcodec: "avc1", has_drm: true },
    { format_id: "good", ...http, vcodec: "avc1", has_drm: false },
  ];
  expect(sourceOfMedium({ title: "t", formats }).formats.map((format) => format.id)).toEqual(["good"]);
  expect(() => sourceOfMedium({ formats: formats.slice(0, 3) })).toThrow(
    expect.objectContaining({ code: "unsupported_url", detail: "the media is protected" }),
  );
});

test.each([
  { is_live: true },
  { live_status: "is_live" },
  { live_status: "is_upcoming" },
  { live_status: "post_live" },
])("live: %j is unsupported_url", (more) => {
  expect(() => sourceOfMedium({ formats: [{ format_id: "f", ...http }], ...more })).toThrow(
    expect.objectContaining({ code: "unsupported_url", detail: "live streams are not supported" }),
  );
});

test("a file that the downloader has only guessed to be media has yet to be looked at", () => {
  const http_headers = { Referer: "https://media.example/page" };
  const file = { url, headers: http_headers };
  const format = { format_id: "f", ...http, http_headers };
  expect(guessedFile({ direct: true, formats: [format] })).toEqual(file);
  expect(guessedFile({ direct: true, ...format })).toEqual(file);
  expect(guessedFile({ direct: true, ...format, http_headers: null })).toEqual({ url, headers: {} });
  expect(guessedFile({ formats: [format] })).toBeNull();
  expect(guessedFile({ direct: true, formats: [] })).toBeNull();
  expect(guessedFile({ direct: true, ...format, protocol: "ftp" })).toBeNull();
});

test("a description without a list of formats is the only one itself, or has those that belong together", () => {
  const alone = { title: "t", format_id: "0", ...http, ext: "mp4", vcodec: "avc1", acodec: "mp4a" };
  expect(sourceOfMedium(alone)).toMatchObject({
    title: "t",
    formats: [{ id: "0", url, videoCodec: "h264" }],
  });
  expect(sourceOfMedium({ ...alone, formats: [] }).formats).toHaveLength(1);
  const parts = ["v", "a"].map((format_id) => ({ format_id, ...http }));
  const ids = (medium: object) => sourceOfMedium(medium).formats.map(({ id }) => id);
  expect(ids({ ...alone, requested_formats: parts })).toEqual(["v", "a"]);
  expect(ids({ ...alone, formats: [{ format_id: "f", ...http }], requested_formats: parts })).toEqual(["f"]);
  expect(() => sourceOfMedium({ title: "t", format_id: "0", protocol: "https" })).toThrow(
    expect.objectContaining({ code: "unsupported_url" }),
  );
});

test("a list of one is that one, however deep; one of several or none is unsupported_url", () => {
  const medium = { title: "t", formats: [] };
  expect(onlyMedium(medium)).toBe(medium);
  const nested = { _type: "playlist", entries: [{ _type: "multi_video", entries: [null, medium] }] };
  expect(onlyMedium(nested)).toBe(medium);
  for (const entries of [[], [null], [medium, medium]]) {
    expect(() => onlyMedium({ _type: "playlist", entries })).toThrow(
      expect.objectContaining({ code: "unsupported_url" }),
    );
  }
});

test("a description of another shape is an error, but not a failure of the source", () => {
  expect(() => sourceOfMedium({ formats: "none" })).toThrow(expect.objectContaining({ name: "ZodError" }));
});
