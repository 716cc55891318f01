import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startNetwork } from "../../../processor/network/network.ts";
import { chooseFormats } from "../../../processor/source/choose-formats.ts";
import { resolveSource } from "../../../processor/source/resolve-source.ts";
import { feedText } from "../../../scripts/origin/make-feed.ts";
import { mediaFiles, mediaHeights, pageTitle } from "../../../scripts/origin/make-media.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { startTestHost } from "../../origin/test-host.ts";
import { startTestOrigin, testMediaFolder } from "../../origin/test-origin.ts";
import { options } from "../mux/sample-media.ts";
import { openSourceWorkshop, type SourceWorkshop } from "./test-context.ts";
import { listeningPort } from "../../../processor/network/listening-port.ts";

let origin: Origin;
let workshop: SourceWorkshop;
const pages: Server[] = [];

beforeAll(async () => {
  origin = await startTestOrigin();
  workshop = await openSourceWorkshop();
});
afterAll(async () => {
  for (const page of pages) page.close();
  await workshop.close();
  await origin.close();
});

async function resolve(path: string) {
  return resolveSource(origin.url + path, await workshop.context());
}

/** The URL of a page served by the test. */
async function servePage(body: string | Buffer, type = "text/html"): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": type }).end(body));
  pages.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${listeningPort(server)}/`;
}

describe("a direct media file", () => {
  test.each([
    mediaFiles.mp4,
    mediaFiles.mp4IndexFirst,
    mediaFiles.webm,
    mediaFiles.mkv,
    mediaFiles.mp3,
    mediaFiles.mp3WithCover,
    mediaFiles.m4a,
  ])("%s takes one request, whose response is available from the first byte", async (file) => {
    const before = origin.requests.length;
    const source = await resolve(`/${file}`);
    const whole = readFileSync(`${testMediaFolder}/${file}`);
    expect(source).toMatchObject({ durationSeconds: null, infoPath: null });
    expect(source.formats).toMatchObject([
      { protocol: "file", videoCodec: "unknown", audioCodec: "unknown", bytes: whole.length },
    ]);
    if (!source.firstLook) throw new Error("the first look is gone");
    expect((await buffer(source.firstLook.body)).equals(whole)).toBe(true);
    expect(origin.requests.length).toBe(before + 1);
  });

  test("may be shorter than the part that is inspected, and its response is complete", async () => {
    const media = readFileSync(`${testMediaFolder}/${mediaFiles.mp3}`).subarray(0, 700);
    const url = await servePage(media, "audio/mpeg");
    const { firstLook } = await resolveSource(url, await workshop.context());
    if (!firstLook) throw new Error("the first look is gone");
    expect((await buffer(firstLook.body)).equals(media)).toBe(true);
  });

  test("may arrive in small chunks without leaking listeners", async () => {
    const media = readFileSync(`${testMediaFolder}/${mediaFiles.mp3}`).subarray(0, 6000);
    const server = createServer((_, response) => {
      const sendFrom = (start: number) => {
        if (start >= media.length) response.end();
        else response.write(media.subarray(start, start + 100), () => setImmediate(sendFrom, start + 100));
      };
      sendFrom(0);
    });
    pages.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const warned = vi.fn();
    process.on("warning", warned);
    const url = `http://127.0.0.1:${listeningPort(server)}/`;
    const { firstLook } = await resolveSource(url, await workshop.context());
    if (!firstLook) throw new Error("the first look is gone");
    expect((await buffer(firstLook.body)).equals(media)).toBe(true);
    process.off("warning", warned);
    expect(warned).not.toHaveBeenCalled();
  });

  test("may start with many zeros before its first frame", async () => {
    const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);
    const url = await servePage(Buffer.concat([Buffer.alloc(30_000), frame]), "audio/mpeg");
    const source = await resolveSource(url, await workshop.context());
    expect(source.formats).toMatchObject([{ id: "direct" }]);
    source.firstLook?.body.destroy();
  });

  test("may be aborted before it is read further", async () => {
    const controller = new AbortController();
    const context = await workshop.context({ signal: controller.signal });
    const source = await resolveSource(`${origin.url}/stall/${mediaFiles.mp4}`, context);
    const { body } = source.firstLook ?? {};
    controller.abort(new Error("cancelled"));
    await vi.waitUntil(() => body?.closed, { timeout: 20_000 });
    expect(body?.errored).not.toBeNull();
  });

  test("has its file name as the title, after redirects", async () => {
    const source = await resolve(`/redirect?to=/no-range/${mediaFiles.mp3}`);
    expect(source.title).toBe("episode");
    source.firstLook?.body.destroy();
  });

  test("has the beginning of a long file name as the title", async () => {
    const media = readFileSync(`${testMediaFolder}/${mediaFiles.mp3}`);
    const url = (await servePage(media, "audio/mpeg")) + "a".repeat(1500);
    const source = await resolveSource(url, await workshop.context());
    expect(source.title).toBe("a".repeat(500));
    source.firstLook?.body.destroy();
  });

  test("is detected by its bytes if its server calls it text", async () => {
    const media = readFileSync(`${testMediaFolder}/${mediaFiles.mp3}`);
    const server = createServer((_, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end(media),
    );
    pages.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${listeningPort(server)}/watch?v=caf%C3%A9`;
    const source = await resolveSource(url, await workshop.context());
    expect(source).toMatchObject({ title: "watch", formats: [{ id: "direct" }] });
    source.firstLook?.body.destroy();
  });
});

describe("sources described by the downloader", () => {
  test("DASH has separate video and audio", async () => {
    const source = await resolve(`/${mediaFiles.dash}`);
    const videos = source.formats.filter((format) => format.videoCodec !== null);
    expect(videos.map((format) => format.height)).toEqual([...mediaHeights]);
    expect(videos.every((format) => format.videoCodec === "h264" && format.audioCodec === null)).toBe(true);
    expect(source.formats.filter((format) => format.videoCodec === null)).toMatchObject([
      { audioCodec: "aac", audioBitrateBps: 96_000, protocol: "fragments" },
    ]);
    expect(JSON.parse(readFileSync(source.infoPath ?? "", "utf8")).formats.length).toBe(
      source.formats.length,
    );
  });

  test("HLS has video with audio", async () => {
    const source = await resolve(`/${mediaFiles.hls}`);
    expect(source.formats.map((format) => format.height)).toEqual([...mediaHeights]);
    for (const format of source.formats) {
      expect(format).toMatchObject({ videoCodec: "h264", audioCodec: "aac", protocol: "playlist" });
    }
  });

  test.each(["master.m3u8", "0.m3u8"])("HLS lasts as long as its segments: %s", async (path) => {
    const lists = ["#EXTINF:2.000000,", "0.ts", "#EXTINF:2.000000,", "1.ts", "#EXTINF:1.960000,", "2.ts"];
    const host = await startTestHost();
    host.answers = {
      "/master.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=500000\n0.m3u8\n",
      "/0.m3u8": ["#EXTM3U", "#EXT-X-TARGETDURATION:2", ...lists, "#EXT-X-ENDLIST\n"].join("\n"),
    };
    const source = await resolveSource(`${host.url}/${path}`, await workshop.context());
    await host.close();
    expect(source.durationSeconds).toBeCloseTo(5.96);
  });

  test("a page's title is cut to 500 characters, however long it is", async () => {
    const wave = "\u{1F30A}";
    const video = `<video src="${origin.url}/${mediaFiles.mp4}"></video>`;
    const url = await servePage(`<meta charset="utf-8"><title>${wave.repeat(1_300_000)}</title>${video}`);
    const source = await resolveSource(url, await workshop.context());
    expect(source.title).toBe(wave.repeat(500));
  });

  test("a page with a video is that video, with the page's title", async () => {
    const source = await resolve(`/${mediaFiles.page}`);
    expect(source.title).toBe(pageTitle);
    expect(source.formats).toMatchObject([
      { protocol: "file", url: `${origin.url}/${mediaFiles.mp4}`, videoCodec: "unknown" },
    ]);
  });
});

test.each(["en", "fr"])("of HLS in several languages the default is preferred: %s", async (language) => {
  const rendition = (name: string) =>
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",LANGUAGE="${name}",NAME="${name}",AUTOSELECT=YES,` +
    `DEFAULT=${name === language ? "YES" : "NO"},URI="${name}.m3u8"`;
  const variant = `#EXT-X-STREAM-INF:BANDWIDTH=500000,CODECS="avc1.42c00d,mp4a.40.2",AUDIO="a"\nvideo.m3u8`;
  const master = ["#EXTM3U", "#EXT-X-VERSION:4", rendition("en"), rendition("fr"), variant, ""].join("\n");
  const playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n0.ts\n#EXT-X-ENDLIST\n";
  const host = await startTestHost();
  host.answers = {
    "/master.m3u8": master,
    "/video.m3u8": playlist,
    "/en.m3u8": playlist,
    "/fr.m3u8": playlist,
  };
  const source = await resolveSource(`${host.url}/master.m3u8`, await workshop.context());
  await host.close();
  expect(chooseFormats(source.formats, options()).audio?.url).toBe(`${host.url}/${language}.m3u8`);
});

describe("an unavailable source", () => {
  test.each([
    ["/status/404", "video_unavailable"],
    ["/status/410", "video_unavailable"],
    ["/status/401", "sign_in_required"],
    ["/status/403", "sign_in_required"],
    ["/status/429", "rate_limited"],
    ["/status/500", "source_error"],
    ["/status/400", "unsupported_url"],
    ["/not-here.mp4", "video_unavailable"],
    ["/garbage/film.mp4", "invalid_media"],
    ["/text/nothing", "unsupported_url"],
    [`/redirect?to=${encodeURIComponent("http://169.254.169.254/film.mp4")}`, "unsupported_url"],
  ])("%s is %s", async (path, code) => {
    await expect(resolve(path)).rejects.toMatchObject({ name: "JobFailure", code });
  });

  test("a source that requests a pause is retried after it, several times", async () => {
    const busyTimes = async (times: number) => {
      let requests = 0;
      const server = createServer((_, response) => {
        requests += 1;
        if (requests <= times) response.writeHead(429, { "retry-after": "0" }).end();
        else
          response.writeHead(200, { "content-type": "audio/mpeg" }).end(Buffer.from("ID3\x04\0\0\0\0\0\0"));
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      try {
        return await resolveSource(`http://127.0.0.1:${listeningPort(server)}/`, await workshop.context());
      } finally {
        server.close();
      }
    };
    expect((await busyTimes(2)).formats).toHaveLength(1);
    await expect(busyTimes(100)).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("a page without media is unsupported_url", async () => {
    const url = await servePage("<html><title>Words</title><p>Only words</p></html>");
    await expect(resolveSource(url, await workshop.context())).rejects.toMatchObject({
      code: "unsupported_url",
    });
  });

  test.each([
    ["exhausted", "unsupported_url", "describing it takes too much processor time"],
    ["flooded", "unsupported_url", "the description is too long"],
    ["deadline", "connection_timeout", null],
  ] as const)("a page whose description is killed as %s is %s", async (outcome, code, detail) => {
    const url = await servePage("<html>a page of much work</html>");
    const end = { outcome, exitCode: null, stdout: "", stderr: "" };
    const downloader = { safeFlags: [], run: () => Promise.resolve(end) };
    await expect(resolveSource(url, await workshop.context({ downloader }))).rejects.toMatchObject({
      code,
      detail,
    });
  });

  test("a page with several videos is unsupported_url, and says so", async () => {
    const video = (name: string) => `<video src="${origin.url}/${name}"></video>`;
    const url = await servePage(`<html>${video(mediaFiles.mp4)}${video(mediaFiles.mp4IndexFirst)}</html>`);
    await expect(resolveSource(url, await workshop.context())).rejects.toMatchObject({
      code: "unsupported_url",
      detail: "there is more than one media item at this address",
    });
  });

  const live = { code: "unsupported_url", detail: "live streams are not supported" };

  test("HLS that continues is live, by itself and behind a master playlist", async () => {
    const segments = ["#EXTM3U", "#EXT-X-TARGETDURATION:2", "#EXTINF:2,", `${origin.url}/hls/0-000.ts`, ""];
    const playlist = await servePage(segments.join("\n"), "application/vnd.apple.mpegurl");
    await expect(resolveSource(playlist, await workshop.context())).rejects.toMatchObject(live);
    const list = await servePage(
      `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n${playlist}\n`,
      "application/vnd.apple.mpegurl",
    );
    await expect(resolveSource(list, await workshop.context())).rejects.toMatchObject(live);
  });

  test("DASH that continues is live", async () => {
    const manifest = readFileSync(`${testMediaFolder}/${mediaFiles.dash}`, "utf8");
    const dynamic = manifest.replace('type="static"', 'type="dynamic"');
    const url = await servePage(dynamic, "application/dash+xml");
    await expect(resolveSource(url, await workshop.context())).rejects.toMatchObject(live);
  });

  test.each([
    ["rss", "application/rss+xml"],
    ["rdf", "text/xml"],
    ["atom", "text/html"],
    ["json", "application/json"],
  ] as const)("a feed (%s) is a show, and fails the job", async (format, type) => {
    const episode = { guid: "1", title: "One", url: `${origin.url}/${mediaFiles.mp3}`, type: "audio/mpeg" };
    const url = await servePage(feedText({ title: "Weekly", episodes: [episode] }, format), type);
    await expect(resolveSource(url, await workshop.context())).rejects.toMatchObject({ code: "is_show" });
    const late = `<?xml version="1.0"?><!--${" words".repeat(2000)}--><rss version="2.0"><channel/></rss>`;
    const lateUrl = await servePage(late, "text/xml");
    await expect(resolveSource(lateUrl, await workshop.context())).rejects.toMatchObject({ code: "is_show" });
  });

  test("a page of a podcast host that lists a show's episodes is a show, without a request", async () => {
    const network = {
      ...workshop.network,
      open: () => Promise.reject(new Error("nothing may be requested")),
    };
    const context = await workshop.context({ network });
    await expect(resolveSource("https://shows.acast.com/weekly", context)).rejects.toMatchObject({
      code: "is_show",
    });
  });

  test("an empty response is unsupported_url, or invalid_media if declared as media", async () => {
    const page = await servePage("", "text/html");
    await expect(resolveSource(page, await workshop.context())).rejects.toMatchObject({
      code: "unsupported_url",
    });
    const film = await servePage("", "video/mp4");
    await expect(resolveSource(film, await workshop.context())).rejects.toMatchObject({
      code: "invalid_media",
    });
  });

  test("the same addresses are forbidden to the downloader", async () => {
    const before = origin.requests.length;
    const toLoopback = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const deployed = await startNetwork({ allowPrivateNetwork: false }, toLoopback);
    // The first request uses a network that reaches the page, the downloader one that must not.
    const network = { ...workshop.network, proxyUrl: deployed.proxyUrl };
    const page = await servePage(`<video src="${origin.url}/${mediaFiles.mp4}"></video>`);
    await expect(resolveSource(page, await workshop.context({ network }))).rejects.toMatchObject({
      code: "unsupported_url",
      detail: "the address is not allowed",
    });
    expect(origin.requests.length).toBe(before);
    await deployed.close();
  });

  test("an abort rejects with its reason", async () => {
    const controller = new AbortController();
    const mute = createServer(() => controller.abort(new Error("cancelled")));
    pages.push(mute);
    await new Promise<void>((done) => mute.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${listeningPort(mute)}/`;
    const context = await workshop.context({ signal: controller.signal });
    await expect(resolveSource(url, context)).rejects.toThrow("cancelled");
    mute.closeAllConnections();
  });
});
