import { expect, test } from "vitest";
import { inPieces } from "../../processor/parsing/give-way.ts";
import { createJsonFeed } from "../../processor/shows/json-feed.ts";
import { ShowFailure } from "../../processor/shows/show-failure.ts";
import { createXmlFeed } from "../../processor/shows/xml-feed.ts";
import type { Shape } from "./corpus/texts.ts";

const characters = 512 * 1024;
/** What a measurement may be off by. */
const noiseMs = 60;
const repeated =
  (piece: string, before: string): Shape =>
  (length) =>
    before + piece.repeat(length / piece.length);
const numbered =
  (piece: (index: number) => string, before: string): Shape =>
  (length) =>
    before + Array.from({ length: length / 12 }, (_, index) => piece(index)).join("");
const channel = "<rss><channel>";
const base = `http://a.example/${"b".repeat(10_000)}/`;
const items = `{"version":"https://jsonfeed.org/version/1.1","items":[`;

interface Reading {
  readonly ms: number;
  /** Of the piece that took longest. */
  readonly longestMs: number;
}

/** Processor time of reading a feed piece by piece, until it ends or is refused. */
function reading(create: typeof createXmlFeed, text: string): Reading {
  const reader = create("http://a.example/feed", () => {});
  const pieces: number[] = [];
  try {
    for (const piece of inPieces(text)) {
      const before = process.threadCpuUsage();
      reader.write(piece);
      pieces.push(process.threadCpuUsage(before).user / 1000);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(ShowFailure);
  }
  return { ms: pieces.reduce((sum, ms) => sum + ms, 0), longestMs: Math.max(0, ...pieces) };
}

test.each<[string, typeof createXmlFeed, Shape]>([
  ["references below a long base", createXmlFeed, repeated('<a xml:base="b"/>', `<rss xml:base="${base}">`)],
  [
    "media below a long base",
    createXmlFeed,
    repeated('<enclosure url="b"/>', `<rss xml:base="${base}"><channel><item>`),
  ],
  [
    "namespaces",
    createXmlFeed,
    repeated('<a xmlns:b="c"/>', `<rss ${numbered((n) => ` xmlns:a${n}="b"`, "")(1200)}>`),
  ],
  ["a name without an end", createXmlFeed, repeated("a", "<")],
  ["an attribute without an end", createXmlFeed, repeated("a", '<rss a="')],
  ["an element of endless attributes", createXmlFeed, numbered((n) => ` a${n}="b"`, "<rss")],
  ["a comment without an end", createXmlFeed, repeated("-", "<rss><!--")],
  ["a section without an end", createXmlFeed, repeated("]", `${channel}<title><![CDATA[`)],
  ["an entity without an end", createXmlFeed, repeated("&", `${channel}<title>`)],
  ["titles of markup", createXmlFeed, repeated("<title>a &lt;b&gt;</title>", `${channel}<item>`)],
  ["a text without an end", createJsonFeed, repeated("a ", '{"title":"')],
  ["an escaped text without an end", createJsonFeed, repeated("\\u0061", '{"a":"')],
  ["a number without an end", createJsonFeed, repeated("1", '{"a":')],
  ["items", createJsonFeed, repeated('{"attachments":[{"url":"b"}]},', items)],
  ["attachments of an item", createJsonFeed, repeated('{"url":"b"},', `${items}{"attachments":[`)],
  ["keys", createJsonFeed, numbered((n) => `"a${n}":1,`, "{")],
  ["spaces", createJsonFeed, repeated(" ", "{")],
])("a feed of %s takes time in proportion to its length, in short pieces", (_, create, shape) => {
  reading(create, shape(4096));
  const half = reading(create, shape(characters / 2));
  const whole = reading(create, shape(characters));
  expect(whole.ms).toBeLessThan(3 * half.ms + noiseMs);
  expect(whole.longestMs).toBeLessThan(whole.ms / 4 + noiseMs);
});

test("an element with more attributes, and a text longer than any, are refused", () => {
  const endless = numbered((n) => ` a${n}="b"`, "<rss")(4_000_000);
  const { ms } = reading(createXmlFeed, endless);
  expect(reading(createXmlFeed, endless + endless).ms).toBeLessThan(1.5 * ms + noiseMs);
  const write = () => {
    const reader = createJsonFeed("http://a.example/feed", () => {});
    for (const piece of inPieces(repeated("a", '{"a":"')(1_200_000))) reader.write(piece);
  };
  expect(write).toThrow("too long");
});
