import { pour, type Answer } from "../../origin/test-host.ts";
import type { Canaries } from "./canaries.ts";
import type { HostileRow } from "./row.ts";

export interface HostileSource {
  /** The path in the job's URL. */
  readonly path: string;
  readonly files: Readonly<Record<string, Answer | string | Buffer>>;
}

/** Small generated media, and some that are not what they seem. */
export interface MediaSamples {
  readonly mp4: Buffer;
  readonly mp3: Buffer;
  /** A Matroska file of a few kilobytes whose only frame has 196 million pixels. */
  readonly pictureBomb: Buffer;
  /** A Matroska file with an attachment whose name leads out of the folder. */
  readonly withAttachment: Buffer;
}

const film = "/film.mp4";
const typed =
  (type: string, body: string | Buffer): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-type": type }).end(body);
const redirect =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { location }).end();
const only = (body: Answer | string | Buffer, path = film): HostileSource => ({
  path,
  files: { [path]: body },
});
const video = (body: string | Buffer) => only(typed("video/mp4", body));
const page = (body: string) =>
  only(typed("text/html", `<html><title>../../t</title><body>${body}</body></html>`), "/page");

function hls(...lines: string[]): HostileSource {
  const head = ["#EXTM3U", "#EXT-X-TARGETDURATION:2", "#EXT-X-PLAYLIST-TYPE:VOD"];
  const text = [...head, ...lines, "#EXT-X-ENDLIST", ""].join("\n");
  return only(typed("application/vnd.apple.mpegurl", text), "/list.m3u8");
}

function dash(content: string, type = "static"): HostileSource {
  const text = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="${type}" mediaPresentationDuration="PT6S"
    profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period duration="PT6S"><AdaptationSet contentType="video" mimeType="video/mp4">
    <Representation id="v" bandwidth="1000" codecs="avc1.42c00b" width="64" height="36">${content}</Representation></AdaptationSet></Period></MPD>`;
  return only(typed("application/dash+xml", text), "/manifest.mpd");
}

function box(type: string, content: Buffer, size = content.length + 8): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}
const fileType = box("ftyp", Buffer.from("isom\0\0\u0002\0isomiso2avc1mp41"));
const nested = (levels: number) =>
  Array.from({ length: levels }).reduce<Buffer>((inner) => box("moov", inner), Buffer.alloc(0));

/**
 * Sources, and how their jobs end: with a failure's code, or `completed`. Files may have up to five megabytes.
 */
export function hostileSources(
  { url, text, media }: Canaries,
  { mp4, mp3, pictureBomb, withAttachment }: MediaSamples,
): HostileRow<HostileSource, string>[] {
  const segment = (address: string) => hls("#EXTINF:2,", address);
  const key = (address: string) => hls(`#EXT-X-KEY:METHOD=AES-128,URI="${address}"`, "#EXTINF:2,", "film.ts");
  const variant = (address: string) =>
    only(
      typed(
        "application/x-mpegurl",
        `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1.42c00b"\n${address}\n`,
      ),
      "/master.m3u8",
    );
  const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nfile://${media}\n#EXT-X-ENDLIST\n`;
  const unsupported = (input: HostileSource, why: string) => ({ input, why, expected: "unsupported_url" });
  const invalid = (input: HostileSource, why: string) => ({ input, why, expected: "invalid_media" });
  const large = (input: HostileSource, why: string) => ({ input, why, expected: "too_large" });

  // The data that yt-dlp's extractors pass to each other in a URL: here, the use of an attacker's proxy.
  const orders = encodeURIComponent(JSON.stringify({ http_headers: { "Ytdl-request-proxy": url } }));
  const ordering = `/after#__youtubedl_smuggle=${orders}`;
  const withAfter = ({ path, files }: HostileSource): HostileSource => ({
    path,
    files: { ...files, "/after": "<html><title>nothing</title></html>" },
  });

  return [
    unsupported(only(redirect(`${url}/film.mp4`)), "a redirect to a forbidden address"),
    unsupported(only(redirect("http://169.254.169.254/latest/")), "a redirect to metadata"),
    unsupported(only(redirect(`file://${media}`)), "a redirect to a local file"),
    unsupported(only(redirect("http://user:secret@127.0.0.1/")), "a redirect with credentials"),
    unsupported(only(redirect(film)), "a redirect to itself"),
    unsupported(video(playlist), "a playlist of a local file that is called a video"),
    unsupported(segment(`file://${media}`), "a segment that is a local file"),
    {
      input: segment(`../../../../../../../..${media}`),
      why: "a segment with a path through parent folders, which stays a path of its host",
      expected: "video_unavailable",
    },
    unsupported(segment(`${url}/film.ts`), "a segment at a forbidden address"),
    unsupported(segment("data:video/mp2t;base64,AAAA"), "a segment that is its own content"),
    unsupported(segment(`concat:${media}|${media}`), "a segment in a protocol of the converter"),
    unsupported(segment(`crypto+file://${media}`), "a segment in nested protocols of the converter"),
    unsupported(key(`file://${text}`), "a key that is a local file"),
    unsupported(key(`${url}/key`), "a key at a forbidden address"),
    unsupported(
      hls("#EXT-X-VERSION:7", `#EXT-X-MAP:URI="${url}/init.mp4"`, "#EXTINF:2,", "film.mp4"),
      "an initialization section at a forbidden address",
    ),
    unsupported(
      hls("#EXT-X-VERSION:7", `#EXT-X-MAP:URI="file://${media}"`, "#EXTINF:2,", "film.mp4"),
      "an initialization section that is a local file",
    ),
    unsupported(variant(`file://${media}`), "a variant that is a local file"),
    unsupported(variant(`${url}/list.m3u8`), "a variant at a forbidden address"),
    invalid(variant("master.m3u8"), "a list of itself"),
    unsupported(
      hls("#EXT-X-GAP", "#EXTINF:2,", `file://${media}`),
      "a segment that is a local file, in a list that the downloader reads",
    ),
    unsupported(
      only(
        typed("application/x-mpegurl", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n"),
        "/live.m3u8",
      ),
      "a live stream, which never ends",
    ),
    unsupported(hls("#EXTINF:1,\na\n".repeat(300_000).trimEnd()), "hundreds of thousands of segments"),
    {
      input: dash(`<BaseURL>file://${media}</BaseURL>`),
      why: "a DASH file that is a local one, which is treated as a path of its host",
      expected: "video_unavailable",
    },
    unsupported(dash(`<BaseURL>${url}/film.mp4</BaseURL>`), "a DASH file at a forbidden address"),
    unsupported(
      dash(
        `<SegmentList duration="2"><Initialization sourceURL="${url}/i"/><SegmentURL media="${url}/1"/></SegmentList>`,
      ),
      "DASH segments at a forbidden address",
    ),
    unsupported(
      dash(`<SegmentTemplate duration="2" media="$Number$"/>`, "dynamic"),
      "a live DASH presentation",
    ),
    unsupported(page(`<video src="file://${media}"></video>`), "a page whose video is a local file"),
    unsupported(
      page(`<video src="${url}/film.mp4"></video>`),
      "a page whose video is at a forbidden address",
    ),
    unsupported(page(`<iframe src="${url}/"></iframe>`), "a page that frames a forbidden address"),
    unsupported(
      page(`<meta http-equiv="refresh" content="0;url=${url}/">`),
      "a page that forwards to a forbidden address",
    ),
    unsupported(
      withAfter(only(redirect(ordering), "/moved")),
      "a redirect that sends the downloader to a forbidden address",
    ),
    unsupported(
      withAfter(page(`<meta http-equiv="refresh" content="0;url=${ordering}">`)),
      "a page that forwards with such an instruction",
    ),
    unsupported(
      withAfter(page(`<meta property="og:video" content="${ordering}">`)),
      "a page whose video URL has such an instruction",
    ),
    unsupported(only(`ffconcat version 1.0\nfile '${media}'\n`, "/list.txt"), "a script of the converter"),
    invalid(
      video(`ffconcat version 1.0\nfile '${media}'\n`),
      "a script of the converter that is called a video",
    ),
    invalid(video(Buffer.concat([Buffer.from("PK\u0003\u0004"), mp4])), "an archive"),
    invalid(video(Buffer.concat([Buffer.from("\x7fELF"), mp4])), "a program"),
    invalid(video(Buffer.from("\u001f\u008b\b\0", "latin1")), "a compressed file"),
    invalid(video(`[Script Info]\n!: ${media}`), "subtitles"),
    invalid(video(fileType), "an mp4 with only its type"),
    invalid(
      video(Buffer.concat([fileType, box("moov", Buffer.alloc(100), 2 ** 32 - 1)])),
      "a box that is longer than its file",
    ),
    invalid(
      video(Buffer.concat([fileType, box("moov", Buffer.alloc(100), 4)])),
      "a box that is shorter than its header",
    ),
    invalid(video(Buffer.concat([fileType, nested(20_000)])), "boxes within boxes"),
    invalid(video(mp4.subarray(0, Math.floor(mp4.length / 2))), "half of a film"),
    invalid(only(typed("video/x-matroska", pictureBomb), "/bomb.mkv"), "an image of gigabytes in kilobytes"),
    large(
      only((_, response) => {
        response.writeHead(200, { "content-type": "audio/mpeg" });
        return pour(response, () => mp3);
      }, "/endless.mp3"),
      "endless audio",
    ),
    large(
      only((_, response) => {
        response.writeHead(200, { "content-type": "video/mp4", "content-length": 2 ** 50 });
        response.write(mp4);
      }),
      "a declared petabyte",
    ),
    {
      input: only(typed("video/x-matroska", withAttachment), "/attached.mkv"),
      why: "an attachment whose name leads out of the folder: it is left out",
      expected: "completed",
    },
  ];
}
