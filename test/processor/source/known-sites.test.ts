import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultLimits } from "../../../contracts/limits.ts";
import type { ShowLine } from "../../../contracts/show.ts";
import { createLog } from "../../../processor/log.ts";
import { readShow } from "../../../processor/shows/read-show.ts";
import { createTurns } from "../../../processor/shows/turns.ts";
import { extractorsFor, isKnownAddress } from "../../../processor/source/known-address.ts";
import { resolveSource } from "../../../processor/source/resolve-source.ts";
import { feedText } from "../../../scripts/origin/make-feed.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";
import { ownDownloader } from "./shapes/own-downloader.ts";
import { startShapeHost, type Reply, type ShapeHost } from "./shapes/shape-host.ts";
import { openSourceWorkshop, type SourceWorkshop } from "./test-context.ts";

let host: ShapeHost;
let workshop: SourceWorkshop;
let workFolder: string;

beforeAll(async () => {
  host = await startShapeHost(testMediaFolder);
  workshop = await openSourceWorkshop(await ownDownloader());
  workFolder = await mkdtemp(join(tmpdir(), "ferry-known-"));
});
afterAll(async () => {
  await Promise.all([workshop.close(), host.close()]);
  await rm(workFolder, { recursive: true });
});
beforeEach(() => {
  host.asked.length = 0;
});

const json = (info: object): Reply => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(info),
});
const film = () => ({ url: `${host.url}/media/progressive.mp4`, ext: "mp4" });

/** Describes the site's page `/site/film` like this, whose own address answers 500. */
function describeFilm(described: Reply): string {
  host.serve({ "/site/film": { status: 500 }, "/described/film": described });
  return `${host.url}/site/film`;
}

async function resolve(url: string) {
  return resolveSource(url, await workshop.context());
}

async function linesOf(url: string): Promise<ShowLine[]> {
  const { network, downloader } = workshop;
  const { showLookMs, showExtractionMs, sourceSilenceMs, feedBytes } = defaultLimits;
  const limits = {
    look_ms: showLookMs,
    extraction_ms: showExtractionMs,
    silence_ms: sourceSilenceMs,
    feed_bytes: feedBytes,
  };
  const tools = {
    network,
    downloader,
    workFolder,
    policy: { allowPrivateNetwork: true },
    appleLookupUrl: host.url,
    turns: createTurns({ atOnce: 4, perOwner: 4 }),
    leastPace: { bytes: 1, withinMs: 60_000 },
  };
  const run = { signal: new AbortController().signal, log: createLog("error", "node") };
  const request = { url, account_id: "account", is_certain: false, limits };
  const lines: ShowLine[] = [];
  for await (const some of readShow(request, { ...tools, ...run })) lines.push(...some);
  return lines;
}

describe("a site that the downloader knows by its address", () => {
  test("is left to it, without a request of ours", async () => {
    const { formats, title } = await resolve(describeFilm(json(film())));
    expect(title).toBe("Film film");
    expect(formats).toMatchObject([{ url: film().url, protocol: "file", videoCodec: "unknown" }]);
    expect(host.asked.map(({ path }) => path)).toEqual(["/described/film"]);
  });

  test("is no show, without a request", async () => {
    expect(await linesOf(describeFilm(json(film())))).toEqual([{ kind: "not_a_show" }]);
    expect(host.asked).toEqual([]);
  });

  test.each(["feed", "weekly-rss"])("may have feeds at addresses that say so: %s", async (name) => {
    const episode = { guid: "1", title: "One", url: `${host.url}/media/episode.mp3`, type: "audio/mpeg" };
    host.serve({ [`/site/${name}`]: feedText({ title: "Weekly", episodes: [episode] }, "rss") });
    expect(await linesOf(`${host.url}/site/${name}`)).toContainEqual({ kind: "end", episodes: 1 });
  });

  test("is asked again while it answers 5xx", async () => {
    let busy = 2;
    const url = describeFilm((_request, response) => {
      busy -= 1;
      if (busy >= 0) response.writeHead(502).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(film()));
    });
    expect((await resolve(url)).formats).toHaveLength(1);
  });
});

test("an address that ends like a media file is looked at before anything else", async () => {
  host.serve({});
  const source = await resolve(`${host.url}/media/progressive.mp4`);
  expect(source.infoPath).toBeNull();
  expect(host.asked).toHaveLength(1);
  source.firstLook?.body.destroy();
});

test.each([
  ["https://www.youtube.com/watch?v=aaaaaaaaaaa", true],
  ["https://vimeo.com/123456", true],
  ["https://media.example/watch?v=aaaaaaaaaaa", false],
  ["https://media.example/?u=https://www.youtube.com/watch?v=aaaaaaaaaaa", false],
  ["https://media.example/--help", false],
])("whether a site is known needs nothing but the address: %s", async (url, isKnown) => {
  expect(await isKnownAddress(url, await workshop.context())).toBe(isKnown);
});

test("nobody knows an address if the downloader does not say so", async () => {
  const url = "https://media.example/";
  const ends = [
    { outcome: "exited", exitCode: 1, stdout: `site\n  ${url}\n`, stderr: "" },
    { outcome: "exhausted", exitCode: null, stdout: `site\n  ${url}\n`, stderr: "" },
  ] as const;
  for (const end of ends) {
    const downloader = { safeFlags: [], run: async () => end };
    expect(await isKnownAddress(url, await workshop.context({ downloader }))).toBe(false);
  }
  expect(extractorsFor(url, `one\ntwo\n  ${url}\nthree\n  ${url}/\ngeneric\n  ${url}\n`)).toEqual([
    "two",
    "generic",
  ]);
});

describe("what the extractor complains about", () => {
  const region = "not available in this region";
  const live = "live streams are not supported";
  const drm = "the media is protected";
  const words = (text: string) => ({ raise: "words", words: text });
  test.each([
    ["a region", { raise: "geo" }, "video_unavailable", region],
    ["a region in words", { raise: "geo plain" }, "video_unavailable", region],
    ["a login", { raise: "login" }, "sign_in_required", null],
    ["protection", { raise: "drm" }, "unsupported_url", drm],
    ["a channel that is off", { raise: "not live" }, "unsupported_url", live],
    ["an event to come", words("This live event will begin in 2 hours."), "unsupported_url", live],
    ["a private film", words("This video is private"), "video_unavailable", null],
    ["members", words("Join this channel to get access to members-only content"), "sign_in_required", null],
    ["an age", words("Sign in to confirm your age"), "sign_in_required", null],
    ["too many requests", words("Too many requests, try again later"), "rate_limited", null],
    ["anything else", { raise: "bug" }, "source_error", null],
  ])("%s", async (_what, described, code, detail) => {
    const failing = resolve(describeFilm(json(described)));
    await expect(failing).rejects.toMatchObject({ name: "JobFailure", code, detail });
  });
});

describe("what cannot become one file", () => {
  const several = "there is more than one media item at this address";
  const two = () =>
    [film(), film()].map((one, index) => ({ ...one, id: String(index), title: String(index) }));
  const formats = (more: object) => ({ formats: [{ ...film(), ...more }] });
  test.each([
    ["a list of many", () => ({ nested: "playlist", entries: two() }), several],
    ["parts of one film", () => ({ nested: "multi_video", entries: two() }), several],
    ["an empty list", () => ({ nested: "playlist", entries: [] }), null],
    ["a live stream", () => ({ ...film(), is_live: true }), "live streams are not supported"],
    ["protected formats alone", () => formats({ has_drm: true }), "the media is protected"],
    ["RTMP", () => formats({ url: "rtmp://127.0.0.1:9/a", protocol: "rtmp" }), null],
    ["a websocket", () => formats({ url: "ws://127.0.0.1:9/a", protocol: "websocket_frag" }), null],
    ["a file that is no media", () => ({ _type: "url", url: `${host.url}/words` }), null],
  ])("%s", async (_what, described, detail) => {
    const url = describeFilm(json(described()));
    host.serve({
      "/described/film": json(described()),
      "/words": { headers: { "content-type": "application/octet-stream" }, body: "only words" },
    });
    await expect(resolve(url)).rejects.toMatchObject({ name: "JobFailure", code: "unsupported_url", detail });
  });
});
