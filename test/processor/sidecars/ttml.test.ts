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
