import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply, ShapeHost } from "./shape-host.ts";
import { shapeMediaFolder } from "./shape-media.ts";
import { filled, typed, type Replies, type Shape } from "./shape.ts";

const file = (path: string) => readFileSync(join(shapeMediaFolder, path), "utf8");
const mpegurl = "application/vnd.apple.mpegurl";

/** A manifest made of a file of the media, its references resolved below the file's folder. */
function changed(type: string, path: string, change: (text: string) => string): Replies {
  return (places) => {
    const folder = `${places.media}/${path.replace(/[^/]*$/, "")}`;
    const text = change(file(path))
      .replaceAll(/^(?!#)(?=\S)/gm, type === mpegurl ? folder : "")
      .replaceAll(/URI="(?!http)/g, `URI="${folder}`);
    const whole = type === mpegurl ? text : text.replace(/<Period/, `<BaseURL>${folder}</BaseURL><Period`);
    return { "/page": { headers: { "content-type": type }, body: filled(whole, places) } };
  };
}

const mpd = (periods: string) =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT6S" minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">${periods}</MPD>`;
const represented = (id: string, type: string, codecs: string, more: string, content: string) =>
  `<AdaptationSet mimeType="${type}" contentType="${type.split("/")[0]}"><Representation id="${id}" bandwidth="500000" codecs="${codecs}" ${more}>${content}</Representation></AdaptationSet>`;
const h264 = ["video/mp4", "avc1.42c01e", `width="640" height="360"`] as const;
const aac = ["audio/mp4", "mp4a.40.2", `audioSamplingRate="48000"`] as const;

function period(duration: number, numbers: { video: number[]; audio: number[] }): string {
  const list = (stream: number, all: number[]) =>
    `<SegmentList duration="2"><Initialization sourceURL="MEDIA/dash-list/init-stream${stream}.m4s"/>${all
      .map((number) => `<SegmentURL media="MEDIA/dash-list/chunk-stream${stream}-0000${number}.m4s"/>`)
      .join("")}</SegmentList>`;
  return `<Period duration="PT${duration}S">${represented("v", ...h264, list(0, numbers.video))}${represented("a", ...aac, list(1, numbers.audio))}</Period>`;
}

const master = (variants: string) => `#EXTM3U\n#EXT-X-VERSION:4\n${variants}`;

export const manifestShapes: readonly Shape[] = [
  { name: "an HLS master playlist", at: "/media/hls/master.m3u8", isTypical: true },
  { name: "an HLS media playlist of MPEG-TS", at: "/media/hls-ts/list.m3u8" },
  { name: "an HLS media playlist of fragmented mp4", at: "/media/hls-fmp4/list.m3u8" },
  { name: "HLS as ranges of one MPEG-TS", at: "/media/hls-ranges/list.m3u8" },
  { name: "HLS as ranges of one mp4", at: "/media/hls-fmp4-ranges/list.m3u8", isTypical: true },
  { name: "HLS with AES-128", at: "/media/hls-aes/list.m3u8", isTypical: true },
  { name: "HLS with audio apart", at: "/media/hls-apart/master.m3u8", isTypical: true },
  { name: "HLS of audio alone", at: "/media/hls-sound/list.m3u8" },
  {
    name: "HLS called text",
    replies: changed("text/plain", "hls-ts/list.m3u8", (text) =>
      text.replaceAll(/^(?=list\d)/gm, "MEDIA/hls-ts/"),
    ),
  },
  {
    name: "HLS called audio/mpegurl",
    replies: typed(
      "audio/mpegurl",
      master(
        `#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.42c01e,mp4a.40.2"\nMEDIA/hls-ts/list.m3u8\n`,
      ),
    ),
  },
  {
    name: "HLS with carriage returns",
    replies: changed(mpegurl, "hls-ts/list.m3u8", (text) => text.replaceAll("\n", "\r\n")),
  },
  {
    name: "HLS with a byte order mark",
    replies: changed("application/x-mpegurl", "hls-ts/list.m3u8", (text) =>
      `\uFEFF${text}`.replaceAll(/^(?=list\d)/gm, "MEDIA/hls-ts/"),
    ),
    dependsOnVersion: true,
  },
  {
    name: "HLS with lists for fast forward",
    replies: typed(
      mpegurl,
      master(
        `#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1000,RESOLUTION=640x360,URI="OWN/fast.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360\nMEDIA/hls-ts/list.m3u8\n`,
      ),
    ),
  },
  {
    name: "HLS with alternative dubs",
    replies: typed(
      mpegurl,
      master(
        `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",LANGUAGE="en",DEFAULT=YES,URI="MEDIA/hls-apart/1.m3u8"\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="de",LANGUAGE="de",URI="MEDIA/hls-apart/1.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.42c01e,mp4a.40.2",AUDIO="a"\nMEDIA/hls-apart/0.m3u8\n`,
      ),
    ),
  },
  {
    name: "HLS with subtitles",
    replies: typed(
      mpegurl,
      master(
        `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="en",LANGUAGE="en",URI="OWN/en.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,SUBTITLES="s"\nMEDIA/hls-ts/list.m3u8\n`,
      ),
    ),
  },
  {
    name: "HLS without resolutions or codecs",
    replies: typed(
      mpegurl,
      master(
        `#EXT-X-STREAM-INF:BANDWIDTH=100000\nMEDIA/hls/0.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=900000\nMEDIA/hls/2.m3u8\n`,
      ),
    ),
  },
  {
    name: "HLS with queries",
    replies: changed(mpegurl, "hls-ts/list.m3u8", (text) => text.replaceAll(".ts", ".ts?token=a%2Fb&x=1")),
  },
  {
    name: "HLS whose segments redirect",
    replies: (places) => ({
      "/page": { headers: { "content-type": mpegurl }, body: file("hls-ts/list.m3u8") },
      ...Object.fromEntries(
        [0, 1, 2].map((number) => [
          `/list${number}.ts`,
          { status: 302, headers: { location: `${places.media}/hls-ts/list${number}.ts` } },
        ]),
      ),
    }),
  },
  { name: "DASH with timelines", at: "/media/dash-timeline/list.mpd", isTypical: true },
  { name: "DASH with numbers", at: "/media/dash-number/list.mpd" },
  { name: "DASH with lists", at: "/media/dash-list/list.mpd" },
  { name: "DASH of audio alone", at: "/media/dash-sound/list.mpd" },
  { name: "DASH in several heights", at: "/media/dash/manifest.mpd" },
  { name: "DASH called XML", replies: changed("text/xml", "dash-timeline/list.mpd", (text) => text) },
  {
    name: "DASH with whole files",
    replies: typed(
      "application/dash+xml",
      mpd(
        `<Period>${represented("v", ...h264, "<BaseURL>MEDIA/apart/video.mp4</BaseURL>")}${represented("a", ...aac, "<BaseURL>MEDIA/apart/audio.m4a</BaseURL>")}</Period>`,
      ),
    ),
    isTypical: true,
  },
  {
    name: "DASH with indexed files",
    replies: typed(
      "application/dash+xml",
      mpd(
        `<Period>${represented("v", ...h264, `<BaseURL>MEDIA/apart/video.mp4</BaseURL><SegmentBase indexRange="0-99"><Initialization range="0-50"/></SegmentBase>`)}${represented("a", ...aac, `<BaseURL>MEDIA/apart/audio.m4a</BaseURL><SegmentBase indexRange="0-99"/>`)}</Period>`,
      ),
    ),
  },
  {
    name: "DASH in two periods",
    replies: typed(
      "application/dash+xml",
      mpd(period(4, { video: [1, 2], audio: [1, 2] }) + period(2, { video: [3], audio: [3, 4] })),
    ),
    dependsOnVersion: true,
  },
  {
    name: "Smooth Streaming",
    at: "/film.ism/Manifest",
    replies: (_, host) => ({
      "/film.ism/Manifest": { headers: { "content-type": "text/xml" }, body: file("smooth/Manifest") },
      ...smoothReplies(host),
    }),
  },
];

/** The fragments under the times that the manifest gives them, which are not quite those in their names. */
function smoothReplies(host: ShapeHost): Readonly<Record<string, Reply>> {
  const manifest = file("smooth/Manifest");
  const streams = manifest.split("<StreamIndex ").slice(1);
  return Object.fromEntries(
    streams.flatMap((stream) => {
      const [, kind = ""] = /Type="(\w+)"/.exec(stream) ?? [];
      const [, bitrate = ""] = /Bitrate="(\d+)"/.exec(stream) ?? [];
      const folder = `QualityLevels(${bitrate})`;
      const durations = [...stream.matchAll(/<c n="\d+" d="(\d+)"/g)].map(([, ticks]) => Number(ticks));
      const names = readdirSync(join(shapeMediaFolder, "smooth", folder))
        .filter((name) => name.startsWith("Fragments("))
        .toSorted((one, other) => timeIn(one) - timeIn(other));
      return names.map((name, index) => {
        const time = durations.slice(0, index).reduce((sum, ticks) => sum + ticks, 0);
        const reply: Reply = (request, response) =>
          host.sendMedia(`smooth/${folder}/${name}`, request, response);
        return [`/film.ism/${folder}/Fragments(${kind}=${time})`, reply] as const;
      });
    }),
  );
}

function timeIn(name: string): number {
  return Number(/=(\d+)/.exec(name)?.[1]);
}
