import { expect, test } from "vitest";
import { parseTtml } from "../../../processor/sidecars/ttml.ts";

const cuesOf = (body: string, root = "") =>
  parseTtml(`<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" ${root}>${body}</tt>`)?.cues.map(
    ({ startSeconds, endSeconds, text }) => [startSeconds, endSeconds, text],
  );

test("paragraphs become cues, with their spans joined and their line breaks kept", () => {
  const text = `<body><div>
    <p begin="00:00:01.500" end="00:00:02.500">  One <span>and
      two</span><br/>three &lt;3</p>
    <p begin="3s" dur="500ms">Four</p></div></body>`;
  expect(cuesOf(text)).toEqual([
    [1.5, 2.5, "One and two\nthree &lt;3"],
    [3, 3.5, "Four"],
  ]);
});

test("spans in a paragraph are shown at their own times", () => {
  const text = `<body><div>
    <p><span begin="1s" end="2s">One</span><br/><span begin="2s" end="3s">two</span></p>
    <p begin="10s" end="14s">Three <span begin="1s">four</span> <span begin="2s" end="3s">five</span></p>
    <p begin="20s"><span end="1s">Six</span> <span end="1s">seven</span><br/><span end="1s">eight</span></p>
    <p begin="30s" end="32s"><span begin="1s" end="1s">never</span></p></div></body>`;
  expect(cuesOf(text)).toEqual([
    [1, 2, "One"],
    [2, 3, "two"],
    [10, 11, "Three"],
    [11, 12, "Three four"],
    [12, 13, "Three four five"],
    [13, 14, "Three four"],
    [20, 21, "Six seven\neight"],
  ]);
});

test("very many spans one after the other are read, and as many at once are rejected", () => {
  const spans = (end: (index: number) => number) =>
    Array.from({ length: 20_000 }, (_, at) => `<span begin="${at}s" end="${end(at)}s">a</span>`).join("");
  expect(cuesOf(`<body><p>${spans((at) => at + 1)}</p></body>`)).toHaveLength(20_000);
  expect(() => cuesOf(`<body><p>${spans(() => 200_000)}</p></body>`)).toThrow("overlap too much");
});

test("times are in the units of the root, and relative to their parent elements", () => {
  const text = `<body begin="10s"><p begin="25f" end="00:00:02:05">A</p><p begin="20t" end="1m">B</p></body>`;
  const root = `xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25" ttp:tickRate="10"`;
  expect(cuesOf(text, root)).toEqual([
    [11, 12.2, "A"],
    [12, 70, "B"],
  ]);
});

test("cues without an end or text, or with an unknown time format, are left out", () => {
  const text = `<body><p begin="1s">endless</p><p begin="1s" end="2s"> <br/> </p><p begin="2s" end="1s">back</p></body>`;
  expect(cuesOf(text)).toEqual([]);
  expect(cuesOf(`<body end="9s"><p begin="1s">to the end of all</p></body>`)).toEqual([
    [1, 9, "to the end of all"],
  ]);
});

test.each(["WEBVTT\n", "<html><body><p>Text</p></body></html>", "<?xml version='1.0'?>"])(
  "%j is not TTML",
  (text) => {
    expect(parseTtml(text)).toBeNull();
  },
);

test("entities declared by a file are not expanded", () => {
  const bomb = `<!DOCTYPE tt [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><tt><p begin="1s" end="2s">&b;</p></tt>`;
  expect(parseTtml(bomb)?.cues.map(({ text }) => text)).toEqual(["&amp;b;"]);
});

test("deeper nesting than in any subtitle is rejected at once", () => {
  const levels = 1_000_000;
  expect(() => parseTtml(`<tt>${"<a>".repeat(levels)}${"</b>".repeat(levels)}</tt>`)).toThrow(
    "nested too deep",
  );
});
