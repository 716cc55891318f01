import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { defaultLimits } from "../../../contracts/limits.ts";
import {
  showLineMaxBytes,
  showLineSchema,
  type ShowLine,
  type ShowRequest,
} from "../../../contracts/show.ts";
import { createLog } from "../../../processor/log.ts";
import { startNetwork, type Network } from "../../../processor/network/network.ts";
import { readShow } from "../../../processor/shows/read-show.ts";
import { createTurns } from "../../../processor/shows/turns.ts";
import { runProgram } from "../../../processor/subprocess/run-program.ts";
import type { ShowContext } from "../../../processor/shows/show-context.ts";
import { feedFormats, feedText, numberedShow } from "../../../scripts/origin/make-feed.ts";
import { rss } from "./read-text.ts";
import { pour, startTestHost, type TestHost } from "../../origin/test-host.ts";

const listShow = fileURLToPath(new URL("../../programs/list-show.ts", import.meta.url));

const { showLookMs, showExtractionMs, sourceSilenceMs, feedBytes } = defaultLimits;
const limits: ShowRequest["limits"] = {
  look_ms: showLookMs,
  extraction_ms: showExtractionMs,
  silence_ms: sourceSilenceMs,
  feed_bytes: feedBytes,
};

let host: TestHost;
let network: Network;
let workFolder: string;
let logged: Record<string, unknown>[];

beforeAll(async () => {
  network = await startNetwork({ allowPrivateNetwork: true });
  workFolder = await mkdtemp(join(tmpdir(), "ferry-shows-"));
});
afterAll(async () => {
  await network.close();
  await rm(workFolder, { recursive: true, force: true });
});
beforeEach(async () => {
  host = await startTestHost();
  logged = [];
  return () => host.close();
});

function context(more: Partial<ShowContext> = {}): Omit<ShowContext, "silenceMs"> {
  return {
    network,
    policy: { allowPrivateNetwork: true },
    downloader: {
      safeFlags: [],
      run: (args, run) => runProgram({ name: listShow, args, ...run }),
    },
    workFolder,
    appleLookupUrl: `${host.url}/lookup`,
    turns: createTurns({ atOnce: 4, perOwner: 4 }),
    leastPace: { bytes: 256 * 1024, withinMs: 20_000 },
    signal: new AbortController().signal,
    log: createLog("debug", "node", { write: (line) => void logged.push(JSON.parse(line)) }),
    ...more,
  };
}

async function linesOf(
  path: string,
  isCertain = false,
  more?: Partial<ShowContext>,
  shorter: Partial<ShowRequest["limits"]> = {},
): Promise<ShowLine[]> {
  const url = URL.canParse(path) ? path : host.url + path;
  const lines: ShowLine[] = [];
  for await (const some of readShow(
    { url, account_id: accountId, is_certain: isCertain, limits: { ...limits, ...shorter } },
    context(more),
  ))
    lines.push(...some);
  for (const line of lines) {
    expect(showLineSchema.parse(line)).toEqual(line);
    expect(Buffer.byteLength(JSON.stringify(line))).toBeLessThanOrEqual(showLineMaxBytes);
  }
  return lines;
}

const accountId = "account";
const titlesOf = (lines: readonly ShowLine[]) =>
  lines.flatMap((line) => (line.kind === "episode" ? [line.title] : []));
const item = (title: string, url: string, more = "") =>
  `<item><title>${title}</title><enclosure url="${url}"/>${more}</item>`;
const failed = (code: string) => [{ kind: "is_show" }, { kind: "failed", code }];

test.each(feedFormats)(
  "the lines of a show as %s are in order, whatever its content type",
  async (format) => {
    host.answers["/show"] = (_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(
        feedText(
          numberedShow(3, (n) => `https://media.example/${n}.mp3`),
          format,
        ),
      );
    };
    expect(await linesOf("/show")).toEqual([
      { kind: "is_show" },
      { kind: "show", title: "The numbered show", feed_url: `${host.url}/show` },
      { kind: "episode", url: "https://media.example/1.mp3", title: "Episode 1" },
      { kind: "episode", url: "https://media.example/2.mp3", title: "Episode 2" },
      { kind: "episode", url: "https://media.example/3.mp3", title: "Episode 3" },
      { kind: "end", episodes: 3 },
    ]);
    expect(host.asked).toEqual(["/show"]);
  },
);

test.each([
  ["a page", "<!DOCTYPE html><html><body>Hello</body></html>"],
  ["media", Buffer.concat([Buffer.from("ID3"), Buffer.alloc(200_000, 7)])],
  ["nothing", ""],
  ["words", "only words"],
  ["other JSON", `{"items":[]}`],
  ["a comment longer than the first read", `<!--${"x".repeat(70_000)}--><rss/>`],
])("anything else than a feed is no show after one read: %s", async (_what, content) => {
  host.answers["/it"] = content;
  expect(await linesOf("/it")).toEqual([{ kind: "not_a_show" }]);
  expect(host.asked).toEqual(["/it"]);
});

test("a failing response, and none at all, is no show", async () => {
  host.answers["/500"] = (_request, response) => void response.writeHead(500).end();
  host.answers["/cut"] = (_request, response) => void response.destroy();
  for (const path of ["/500", "/missing", "/cut", "http://127.0.0.1:9/", "http://nowhere.invalid/"]) {
    expect(await linesOf(path)).toEqual([{ kind: "not_a_show" }]);
  }
  expect(host.asked).toEqual(["/500", "/missing", "/cut"]);
});

test.each([
  ["is silent", { silence_ms: 200 }],
  ["takes longer than the check may", { look_ms: 200 }],
])("what does not begin in time because it %s is left to the edge to judge", async (_what, short) => {
  host.answers["/slow/feed"] = () => undefined;
  expect(await linesOf("/slow/feed", false, {}, short)).toEqual([{ kind: "failed", code: "timed_out" }]);
});

test("a feed may take as long to begin as its check may", async () => {
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<ServerResponse>();
  host.answers["/slow/feed.xml"] = (_request, response) => ask(response);
  const lines = linesOf("/slow/feed.xml");
  (await isAsked).end(rss(item("One", "https://a.example/1.mp3")));
  expect(await lines).toContainEqual({ kind: "end", episodes: 1 });
});

test("a URL declared to be a show is not checked; if it is none, it is unreadable", async () => {
  host.answers["/show.rss"] = "<html></html>";
  expect(await linesOf("/show.rss", true)).toEqual(failed("unreadable"));
  expect(await linesOf("/missing.rss", true)).toEqual(failed("unreadable"));
});

test("redirects are followed, and the feed's URL is the last one", async () => {
  host.answers["/old.rss"] = (_request, response) =>
    void response.writeHead(301, { location: "/new/feed" }).end();
  host.answers["/new/feed"] = rss(item("One", "1.mp3"));
  for (const isCertain of [true, false]) {
    expect((await linesOf("/old.rss", isCertain)).slice(1, 3)).toEqual([
      { kind: "show", title: "Show", feed_url: `${host.url}/new/feed` },
      { kind: "episode", url: `${host.url}/new/1.mp3`, title: "One" },
    ]);
  }
});

test("a show without episodes is reported", async () => {
  host.answers["/show"] = rss(`<item><title>Words</title></item>`);
  expect(await linesOf("/show")).toEqual(failed("no_episodes"));
});

test("items without usable media are left out, and the log counts them by reason", async () => {
  const items = [
    `<item><title>No media</title></item>`,
    `<item><title>Picture</title><enclosure url="https://a.example/1.jpg" type="image/jpeg"/></item>`,
    item("Not http", "ftp://a.example/1.mp3"),
    item("Private", "http://10.0.0.1/1.mp3"),
    item("Nonsense", "http://"),
    item("Too long", `https://a.example/${"x".repeat(3000)}.mp3`),
    item("Relative", "/1.mp3"),
    item("Called a text", "https://a.example/2.mp3").replace("/>", ` type="text/html"/>`),
    `<item><title>Second choice</title><enclosure url="magnet:?x"/><enclosure url="https://a.example/3.mp3"/></item>`,
  ];
  host.answers["/show"] = rss(items.join(""));
  const lines = await linesOf("/show", false, { policy: { allowPrivateNetwork: false } }).catch(() => []);
  expect(lines).toEqual([{ kind: "failed", code: "unreadable" }]);

  const open = await linesOf("/show");
  expect(titlesOf(open)).toEqual(["Private", "Relative", "Called a text", "Second choice"]);
  expect(open.find((line) => line.kind === "episode" && line.title === "Relative")).toMatchObject({
    url: `${host.url}/1.mp3`,
  });
  expect(logged.at(-1)).toMatchObject({
    episodes: 4,
    left_out: { no_media: 3, not_allowed: 2, repeated: 0 },
  });
});

test("items with the same guid, or else the same URL, are one episode", async () => {
  const guid = `<guid>same</guid>`;
  host.answers["/show"] = rss(
    item("One", "https://a.example/1.mp3", guid) +
      item("One again", "https://a.example/other.mp3", guid) +
      item("Two", "https://a.example/2.mp3") +
      item("Two again", "https://a.example/2.mp3") +
      item("Three", "https://a.example/2.mp3", "<guid>own</guid>"),
  );
  expect(titlesOf(await linesOf("/show"))).toEqual(["One", "Two", "Three"]);
});

test("pages are followed, and a feed that changes meanwhile lists no episode twice", async () => {
  const page = (first: number, count: number, next?: string) => {
    const show = numberedShow(count, (n) => `https://a.example/${n}.mp3`, { first });
    return feedText(next === undefined ? show : { ...show, next }, "rss");
  };
  host.answers["/show"] = page(1, 3, "/show/2");
  host.answers["/show/2"] = page(3, 3, "/show/3");
  host.answers["/show/3"] = page(6, 1, "/show");
  expect(titlesOf(await linesOf("/show"))).toEqual([1, 2, 3, 4, 5, 6].map((n) => `Episode ${n}`));
  expect(host.asked).toEqual(["/show", "/show/2", "/show/3"]);
});

test("an archive is followed to its oldest part, and each page is read once", async () => {
  const part = (title: string, ...links: string[]) =>
    rss(`${links.join("")}${item(title, `https://a.example/${title}.mp3`)}`);
  const older = (path: string) => `<atom:link rel="prev-archive" href="${path}"/>`;
  host.answers["/show"] = part("Three", older("/2020"), `<atom:link rel="next" href="/2020"/>`);
  host.answers["/2020"] = part("Two", older("/2019"));
  host.answers["/2019"] = part("One", `<atom:link rel="next-archive" href="/2020"/>`);
  expect(titlesOf(await linesOf("/show"))).toEqual(["Three", "Two", "One"]);
  expect(host.asked).toEqual(["/show", "/2020", "/2019"]);
});

test.each([
  ["is missing", 404, ""],
  ["is gone", 410, ""],
  ["is forbidden", 403, ""],
  ["is not a feed", 200, "<!DOCTYPE html><html></html>"],
  ["ends within its text", 200, rss(item("Two", "https://a.example/2.mp3")).replace("</rss>", "")],
])("a show with another page that %s cannot be read", async (_what, status, content) => {
  const show = numberedShow(2, (n) => `https://a.example/${n}.mp3`);
  host.answers["/show"] = feedText({ ...show, next: "/two" }, "rss");
  host.answers["/two"] = (_request, response) => void response.writeHead(status).end(content);
  expect((await linesOf("/show")).at(-1)).toEqual({ kind: "failed", code: "unreadable" });
});

test("a title after the episodes is the show's title", async () => {
  const one = `<item><enclosure url="https://a.example/1.mp3"/></item>`;
  host.answers["/xml"] = `<rss><channel>${one}<title>Late</title></channel></rss>`;
  host.answers["/json"] = JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    items: [{ attachments: [{ url: "https://a.example/1.mp3", mime_type: "audio/mpeg" }] }],
    title: "Late",
  });
  for (const path of ["/xml", "/json"]) {
    expect(await linesOf(path)).toEqual([
      { kind: "is_show" },
      { kind: "show", title: "Late", feed_url: host.url + path },
      { kind: "episode", url: "https://a.example/1.mp3", title: null },
      { kind: "end", episodes: 1 },
    ]);
  }
});

test("episodes wait for a title only as long as they can be buffered", async () => {
  const title = "t".repeat(400);
  const items = Array.from({ length: 12_000 }, (_, n) => item(title, `https://a.example/${n}.mp3`));
  host.answers["/show"] = `<rss><channel>${items.join("")}<title>Late</title></channel></rss>`;
  const lines = await linesOf("/show");
  expect(lines[1]).toMatchObject({ kind: "show", title: null });
  expect(lines.at(-1)).toEqual({ kind: "end", episodes: 12_000 });
});

test("the URL of a feed of several pages without a title is its first page", async () => {
  host.answers["/show"] = rss(`<atom:link rel="next" href="/two"/>`).replace("<title>Show</title>", "");
  host.answers["/two"] = rss(item("One", "https://a.example/1.mp3")).replace("<title>Show</title>", "");
  expect((await linesOf("/show"))[1]).toEqual({ kind: "show", title: null, feed_url: `${host.url}/show` });
});

test("a feed that breaks off is read again, and no episode is listed twice", async () => {
  const text = feedText(
    numberedShow(2000, (n) => `https://a.example/${n}.mp3`),
    "rss",
  );
  let answers = 0;
  host.answers["/show"] = (_request, response) => {
    answers += 1;
    response.writeHead(200, { "content-length": Buffer.byteLength(text) });
    if (answers > 2) response.end(text);
    else response.write(text.slice(0, answers * 150_000), () => response.destroy());
  };
  const lines = await linesOf("/show");
  expect(new Set(titlesOf(lines)).size).toBe(2000);
  expect(lines.at(-1)).toEqual({ kind: "end", episodes: 2000 });
  expect(answers).toBe(3);
});

test.each([
  ["in UTF-16", Buffer.from(`\uFEFF${rss(item("Überraschung", "/1.mp3"))}`, "utf16le"), {}],
  [
    "in windows-1251 by declaration",
    Buffer.concat([
      Buffer.from(`<?xml version="1.0" encoding="windows-1251"?><rss><channel>`),
      Buffer.from(item("T", "/1.mp3").replace("T", "\xcf\xf0\xe8\xe2\xe5\xf2"), "latin1"),
      Buffer.from("</channel></rss>"),
    ]),
    {},
  ],
  [
    "in Latin-1 by content type",
    Buffer.from(rss(item("Überraschung", "/1.mp3")), "latin1"),
    { "content-type": "text/xml; charset=ISO-8859-1" },
  ],
  ["compressed in transit", gzipSync(rss(item("Überraschung", "/1.mp3"))), { "content-encoding": "gzip" }],
  [
    "as a compressed file",
    gzipSync(rss(item("Überraschung", "/1.mp3"))),
    { "content-type": "application/gzip" },
  ],
])("a feed is read %s", async (what, bytes, headers) => {
  host.answers["/show"] = (_request, response) => void response.writeHead(200, headers).end(bytes);
  expect(titlesOf(await linesOf("/show"))).toEqual([what.includes("1251") ? "Привет" : "Überraschung"]);
});

test("an endless feed is rejected at 50 MiB, without being buffered", async () => {
  const piece = item("x", "https://a.example/1.mp3", `<description>${"words ".repeat(20_000)}</description>`);
  let poured = 0;
  host.answers["/show"] = (_request, response) => {
    response.write(`<rss><channel>`);
    return pour(response, () => {
      poured += piece.length;
      return piece;
    });
  };
  const lines = await linesOf("/show");
  expect(lines.at(-1)).toEqual({ kind: "failed", code: "too_large" });
  expect(poured).toBeLessThan(60 * 1024 * 1024);
  await vi.waitUntil(() => host.asked.length === 1, { timeout: 20_000 });
});

test("a compressed feed without end is rejected at 50 MiB", async () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from("<rss><channel>"), Buffer.alloc(60 * 1024 * 1024, 32)]));
  host.answers["/show"] = (_request, response) =>
    void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  expect(await linesOf("/show")).toEqual(failed("too_large"));
});

/** More than the first read waits for, of a feed that continues. */
const begun = rss(item("One", "/1.mp3", `<description>${"words ".repeat(1000)}</description>`)).replace(
  "</channel></rss>",
  "",
);

test("reading ends when its reader disconnects", async () => {
  const gone = new AbortController();
  let closed = false;
  host.answers["/show"] = (_request, response) => {
    response.once("close", () => {
      closed = true;
    });
    response.write(begun);
  };
  const lines = readShow(
    { url: `${host.url}/show`, account_id: accountId, is_certain: true, limits },
    context({ signal: gone.signal }),
  );
  expect((await lines.next()).value).toEqual([{ kind: "is_show" }]);
  expect((await lines.next()).value).toMatchObject([{ kind: "show" }, { kind: "episode" }]);
  const next = lines.next();
  gone.abort(new Error("gone"));
  await expect(next).rejects.toThrow("gone");
  await vi.waitUntil(() => closed, { timeout: 20_000 });
});

test("a show waits for its turn with its feed closed, and the check waits for none", async () => {
  host.answers["/feed"] = rss(item("One", "/1.mp3"));
  host.answers["/page"] = "<html>";
  host.answers["/trickle"] = (_request, response) => void response.write(begun);
  const turns = createTurns({ atOnce: 1, perOwner: 1 });
  const slow = readShow(
    { url: `${host.url}/trickle`, account_id: accountId, is_certain: true, limits },
    context({ turns }),
  );
  await slow.next();
  await slow.next();
  expect(turns.areFree(accountId)).toBe(false);
  expect(await linesOf("/page", false, { turns })).toEqual([{ kind: "not_a_show" }]);
  const waiting = linesOf("/feed", false, { turns });
  await vi.waitUntil(() => host.asked.includes("/feed"), { timeout: 20_000 });
  await slow.return(undefined);
  expect(titlesOf(await waiting)).toEqual(["One"]);
  expect(turns.areFree(accountId)).toBe(true);
});

test.each([
  ["a feed", "<rss>"],
  ["a compressed feed", gzipSync("<rss>".padEnd(5000), { level: 0 }).subarray(0, 100)],
  ["a JSON feed", `{"version":"https://jsonfeed.org/version/1.1"`],
])(
  "%s is a show as soon as its beginning is known, however slowly the rest arrives",
  async (_what, beginning) => {
    host.answers["/slow"] = (_request, response) => void response.write(beginning);
    const lines = readShow(
      { url: `${host.url}/slow`, account_id: accountId, is_certain: false, limits },
      context(),
    );
    expect((await lines.next()).value).toEqual([{ kind: "is_show" }]);
    await lines.return(undefined);
  },
);

test("a feed that arrives byte by byte is detected by its beginning, and read", async () => {
  const text = Buffer.from(`\uFEFF<?xml version="1.0"?>${rss(item("Über", "/1.mp3"))}`);
  host.answers["/show"] = async (_request, response) => {
    response.socket?.setNoDelay();
    for (const byte of text) await new Promise((written) => response.write(Buffer.of(byte), written));
    response.end();
  };
  expect(titlesOf(await linesOf("/show"))).toEqual(["Über"]);
});

test.each([
  ["from its beginning", () => {}],
  ["within its text", (response: ServerResponse) => void response.write(begun)],
])("a source that falls silent %s has timed out", async (_when, begin) => {
  host.answers["/silent"] = (_request, response) => begin(response);
  const lines: ShowLine[] = [];
  const silent = {
    url: `${host.url}/silent`,
    account_id: accountId,
    is_certain: true,
    limits: { ...limits, silence_ms: 50 },
  };
  for await (const some of readShow(silent, context())) lines.push(...some);
  expect(lines.at(-1)).toEqual({ kind: "failed", code: "timed_out" });
});

test("the check ends after ten seconds, and reading after two minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    host.answers["/silent"] = (_request, response) => void response.write(" ");
    const look = linesOf("/silent");
    await vi.waitUntil(() => host.asked.length === 1, { timeout: 20_000 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await look).toEqual([{ kind: "failed", code: "timed_out" }]);

    host.answers["/trickle"] = (_request, response) => void response.write(begun);
    const lines = readShow(
      { url: `${host.url}/trickle`, account_id: accountId, is_certain: true, limits },
      context(),
    );
    await lines.next();
    await lines.next();
    const next = lines.next();
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await next).value).toEqual([{ kind: "failed", code: "timed_out" }]);
  } finally {
    vi.useRealTimers();
  }
});

test.each([false, true])(
  "a feed that trickles loses its turn to one that waits, and times out (opened for its turn: %s)",
  async (isCertain) => {
    host.answers["/trickle"] = (_request, response) => {
      response.write(begun);
      const drip = setInterval(() => response.write(" "), 10);
      response.once("close", () => clearInterval(drip));
    };
    host.answers["/feed"] = rss(item("One", "/1.mp3"));
    const turns = createTurns({ atOnce: 1, perOwner: 1 });
    const leastPace = { bytes: 4096, withinMs: 400 };
    const slow = linesOf("/trickle", isCertain, { turns, leastPace });
    await vi.waitUntil(() => !turns.areFree(accountId), { timeout: 20_000 });
    expect(titlesOf(await linesOf("/feed", isCertain, { turns }))).toEqual(["One"]);
    expect((await slow).at(-1)).toEqual({ kind: "failed", code: "timed_out" });
  },
);

test("a page of Apple Podcasts is read from the feed that the lookup returns", async () => {
  host.answers["/feed"] = rss(item("One", "/1.mp3"));
  host.answers["/lookup"] = JSON.stringify({ resultCount: 1, results: [{ feedUrl: `${host.url}/feed` }] });
  const lines = await linesOf("https://podcasts.apple.com/de/podcast/a-show/id123456?x=1", true);
  expect(lines[1]).toEqual({ kind: "show", title: "Show", feed_url: `${host.url}/feed` });
  expect(host.asked).toEqual(["/lookup?id=123456&entity=podcast&country=de", "/feed"]);
});

test.each([
  ["does not know the show", `{"resultCount":0,"results":[]}`],
  ["knows no feed for it", `{"resultCount":1,"results":[{"feedUrl":null}]}`],
  ["returns something else", "<html>"],
  ["returns a forbidden URL", `{"results":[{"feedUrl":"file:///etc/passwd"}]}`],
])("a page of Apple Podcasts is unreadable if the lookup %s", async (_what, answer) => {
  host.answers["/lookup"] = answer;
  expect(await linesOf("https://podcasts.apple.com/podcast/id1", true)).toEqual(failed("unreadable"));
});

test("a show listed by the downloader is read from its listing", async () => {
  const lines = await linesOf("https://play.acast.com/s/harbour-talks");
  expect(lines).toEqual([
    { kind: "is_show" },
    { kind: "show", title: "Harbour talks", feed_url: "https://play.acast.com/s/harbour-talks" },
    { kind: "episode", url: "https://media.example/one.mp3", title: "One" },
    { kind: "episode", url: "https://podbay.fm/p/harbour/e/2", title: "Two" },
    { kind: "end", episodes: 2 },
  ]);
  expect(host.asked).toEqual([]);
});

test.each([
  ["exhausted", "unreadable"],
  ["flooded", "too_large"],
  ["deadline", "timed_out"],
] as const)("a listing whose program is killed as %s fails as %s", async (outcome, code) => {
  const end = { outcome, exitCode: null, stdout: "", stderr: "" };
  const downloader = { safeFlags: [], run: () => Promise.resolve(end) };
  expect(await linesOf("https://play.acast.com/s/long", false, { downloader })).toEqual(failed(code));
});

test("a long listing gives way to other work, and one with an entry of megabytes is unreadable", async () => {
  const listing = (stdout: string) => {
    const end = { outcome: "exited" as const, exitCode: 0, stdout, stderr: "" };
    const downloader = { safeFlags: [], run: () => Promise.resolve(end) };
    return linesOf("https://play.acast.com/s/long", false, { downloader });
  };
  const entry = (id: number) => `{"id":"${id}","url":"https://media.example/${id}.mp3","title":"T"}\n`;
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 1);
  const lines = await listing(Array.from({ length: 30_000 }, (_, id) => entry(id)).join(""));
  clearInterval(turning);
  expect(lines.at(-1)).toEqual({ kind: "end", episodes: 30_000 });
  expect(turns).toBeGreaterThan(3);
  expect(await listing(entry(1) + `{"title":"${"a".repeat(2_000_000)}"}`)).toEqual(failed("unreadable"));
});

test("a listing that fails is an unreadable show, and one whose host stays silent times out", async () => {
  expect(await linesOf("https://play.acast.com/s/missing")).toEqual(failed("unreadable"));
  expect(await linesOf("https://play.acast.com/s/silent")).toEqual(failed("timed_out"));
});
