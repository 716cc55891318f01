import { filled, type Shape } from "./shape.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { shapeMediaFolder } from "./shape-media.ts";
import type { Places, Reply, ShapeHost } from "./shape-host.ts";

/** What the tests' own extractor returns for a page that nobody but it can read. */
function described(
  info: object,
  more: (places: Places, host: ShapeHost) => Readonly<Record<string, Reply>> = () => ({}),
): Pick<Shape, "at" | "replies"> {
  return {
    at: "/site/film",
    replies: (places, host) => ({
      "/site/film": { status: 404, headers: { "content-type": "text/html" }, body: "<p>not for you</p>" },
      "/described/film": {
        headers: { "content-type": "application/json" },
        body: filled(JSON.stringify(info), places),
      },
      ...more(places, host),
    }),
  };
}

const mp4 = "MEDIA/progressive.mp4";
const video = {
  format_id: "v",
  url: "MEDIA/apart/video.mp4",
  ext: "mp4",
  vcodec: "avc1.42c01e",
  acodec: "none",
  height: 360,
};
const audio = {
  format_id: "a",
  url: "MEDIA/apart/audio.m4a",
  ext: "m4a",
  vcodec: "none",
  acodec: "mp4a.40.2",
  abr: 96,
};
const fragments = (stream: number, count: number, named: "url" | "path") => {
  const names = [
    `init-stream${stream}.m4s`,
    ...Array.from({ length: count }, (_, index) => `chunk-stream${stream}-0000${index + 1}.m4s`),
  ];
  return names.map((name) => (named === "url" ? { url: `MEDIA/dash-list/${name}` } : { path: name }));
};
const onlyWith =
  (name: string, value: RegExp, path = "progressive.mp4") =>
  (_: Places, host: ShapeHost): Record<string, Reply> => ({
    "/film.mp4": (request, response) =>
      value.test(String(request.headers[name] ?? ""))
        ? host.sendMedia(path, request, response)
        : void response.writeHead(403).end(),
  });

/** Kinds of description that extractors return, through one of our own. */
export const siteShapes: readonly Shape[] = [
  { name: "one address", ...described({ url: mp4 }), isTypical: true },
  { name: "one address with a type and duration", ...described({ url: mp4, ext: "mp4", duration: 6 }) },
  { name: "one address of audio", ...described({ url: "MEDIA/episode.mp3", ext: "mp3", vcodec: "none" }) },
  {
    name: "one address of HLS",
    ...described({ url: "MEDIA/hls-ts/list.m3u8", ext: "mp4", protocol: "m3u8_native" }),
    isTypical: true,
  },
  {
    name: "one address of HLS for ffmpeg",
    ...described({ url: "MEDIA/hls-ts/list.m3u8", ext: "mp4", protocol: "m3u8" }),
  },
  {
    name: "one address with headers",
    ...described(
      { url: "OWN/film.mp4", ext: "mp4", http_headers: { "X-Pass": "yes", Referer: "http://site.example/" } },
      onlyWith("x-pass", /^yes$/),
    ),
  },
  {
    name: "a Referer",
    ...described(
      {
        formats: [{ url: "OWN/film.mp4", ext: "mp4", http_headers: { Referer: "http://site.example/page" } }],
      },
      onlyWith("referer", /^http:\/\/site\.example\/page$/),
    ),
  },
  {
    name: "formats without anything but addresses",
    ...described({ formats: [{ url: "MEDIA/video.webm" }, { url: mp4 }] }),
  },
  {
    name: "formats without codecs, with heights",
    ...described({
      formats: [
        { format_id: "low", url: "MEDIA/video.webm", height: 180 },
        { format_id: "high", url: mp4, height: 360 },
      ],
    }),
  },
  {
    name: "formats with sizes, some wrong",
    ...described({ formats: [{ url: mp4, ext: "mp4", filesize: 123, filesize_approx: 456, height: 360 }] }),
  },
  { name: "video and audio apart", ...described({ formats: [audio, video] }), isTypical: true },
  {
    name: "video and audio apart that belong together",
    ...described({
      url: "MEDIA/apart/video.mp4",
      ext: "mp4",
      requested_formats: [video, audio],
      format_id: "v+a",
      protocol: "http+http",
    }),
    dependsOnVersion: true,
  },
  { name: "formats of extractors' helpers: HLS", ...described({ hls: "MEDIA/hls/master.m3u8" }) },
  { name: "formats of extractors' helpers: DASH", ...described({ dash: "MEDIA/dash/manifest.mpd" }) },
  {
    name: "fragments with addresses",
    ...described({
      formats: [
        {
          format_id: "v",
          url: "MEDIA/dash-list/list.mpd",
          ext: "mp4",
          protocol: "http_dash_segments",
          vcodec: "avc1.42c01e",
          acodec: "none",
          fragments: fragments(0, 3, "url"),
        },
        {
          format_id: "a",
          url: "MEDIA/dash-list/list.mpd",
          ext: "m4a",
          protocol: "http_dash_segments",
          vcodec: "none",
          acodec: "mp4a.40.2",
          fragments: fragments(1, 4, "url"),
        },
      ],
    }),
    isTypical: true,
  },
  {
    name: "fragments below a base",
    ...described({
      formats: [
        {
          format_id: "v",
          url: "MEDIA/dash-list/list.mpd",
          ext: "mp4",
          protocol: "http_dash_segments",
          vcodec: "avc1.42c01e",
          acodec: "none",
          fragment_base_url: "MEDIA/dash-list/",
          fragments: fragments(0, 3, "path"),
        },
      ],
    }),
  },
  {
    name: "Smooth Streaming fragments",
    ...described({
      formats: [
        {
          format_id: "v",
          url: "MEDIA/apart/video.mp4",
          ext: "mp4",
          protocol: "https",
          vcodec: "avc1.42c01e",
          acodec: "none",
        },
        audio,
      ],
    }),
  },
  {
    name: "an address handed on",
    ...described({ _type: "url", url: "OWN/next" }, ({ media }) => ({
      "/next": `<html><video src="${media}/progressive.mp4"></video></html>`,
    })),
    isTypical: true,
  },
  { name: "a file handed on", ...described({ _type: "url", url: mp4 }), isTypical: true },
  {
    name: "a page handed on with a title, which hands on",
    ...described(
      { _type: "url_transparent", url: "OWN/site/second", title: "A title", id: "1" },
      (places) => ({
        "/described/second": {
          headers: { "content-type": "application/json" },
          body: filled(JSON.stringify({ _type: "url_transparent", url: mp4, uploader: "u" }), places),
        },
      }),
    ),
    isTypical: true,
  },
  {
    name: "a cookie of its own",
    ...described(
      { set_cookie: true, formats: [{ url: "OWN/film.mp4", ext: "mp4" }] },
      onlyWith("cookie", /pass=yes/),
    ),
    isTypical: true,
  },
  {
    name: "chapters, subtitles and thumbnails",
    ...described({
      url: mp4,
      duration: 6,
      age_limit: 18,
      thumbnails: [{ url: "OWN/1.jpg" }, { url: "OWN/2.jpg", preference: 1 }],
      chapters: [
        { start_time: 0, end_time: 3, title: "One" },
        { start_time: 3, end_time: 6, title: "Two" },
      ],
      subtitles: { en: [{ ext: "vtt", data: "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n" }] },
    }),
  },
  {
    name: "a film that was live",
    ...described({ url: mp4, live_status: "was_live", is_live: false, was_live: true }),
  },
  {
    name: "a list of one",
    ...described({ nested: "playlist", entries: [{ url: mp4, id: "1", title: "One" }] }),
  },
  {
    name: "parts, of which there is one",
    ...described({ nested: "multi_video", entries: [{ url: mp4, id: "1", title: "One" }] }),
  },
  {
    name: "protected formats beside others",
    ...described({
      formats: [
        { url: "MEDIA/index-first.mp4", height: 720, has_drm: true },
        { url: mp4, height: 360 },
      ],
    }),
  },
  {
    name: "formats whose protection is uncertain",
    ...described({ formats: [{ url: mp4, height: 360, has_drm: "maybe" }] }),
    dependsOnVersion: true,
  },
  {
    name: "a playlist in the description itself",
    ...described({
      formats: [
        {
          format_id: "h",
          url: "OWN/nowhere.m3u8",
          ext: "mp4",
          protocol: "m3u8_native",
          hls_media_playlist_data: playlist(),
        },
      ],
    }),
    dependsOnVersion: true,
  },
  {
    name: "formats of which the best is a broken address",
    ...described({
      formats: [
        { url: "rtmp://127.0.0.1:9/a", height: 1080, protocol: "rtmp", preference: -100 },
        { url: mp4, height: 360, preference: 1 },
      ],
    }),
  },
];

function playlist(): string {
  try {
    return readFileSync(join(shapeMediaFolder, "hls-ts/list.m3u8"), "utf8").replaceAll(
      /^(?=list\d)/gm,
      "MEDIA/hls-ts/",
    );
  } catch {
    return "";
  }
}
