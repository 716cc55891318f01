import { expect, test } from "vitest";
import { feedFormat } from "../../../processor/shows/feed-format.ts";
import { feedFormats, feedText } from "../../../scripts/origin/make-feed.ts";

const begins = (text: string) => feedFormat(text.slice(0, 4096));

test.each(feedFormats)("a feed of %s is detected by its beginning", (format) => {
  const text = feedText({ title: "Show", episodes: [] }, format);
  expect(begins(`\uFEFF\r\n ${text}`)).toBe(format === "json" ? "json" : "xml");
});

test.each([
  [
    "comments and a stylesheet first",
    `<?xml version="1.0"?><?xml-stylesheet href="x"?><!-- hello --><rss>`,
    "xml",
  ],
  ["Atom under a prefix", `<a:feed xmlns:a="http://www.w3.org/2005/Atom">`, "xml"],
  ["Atom 0.3", `<feed version="0.3" xmlns="http://purl.org/atom/ns#">`, "xml"],
  ["a JSON feed with escaped slashes", String.raw`{"version":"https:\/\/jsonfeed.org\/version\/1"`, "json"],
  ["a page", `<!DOCTYPE html><html><rss>`, "none"],
  ["another feed", `<feed xmlns="urn:x">`, "none"],
  ["other RDF", `<r:RDF xmlns:r="urn:other">`, "none"],
  ["other JSON", `{"version":"1.0","items":[]}`, "none"],
  ["JSON of something else", `{"a":1}`, "none"],
  ["JSON without a feed", `{version}`, "none"],
  ["a list", `[1]`, "none"],
  ["words", `hello <rss>`, "none"],
  ["nothing yet", `  `, "undecided"],
  ["a comment without an end", `<!-- ${"x".repeat(5000)}`, "undecided"],
  ["JSON without an end", `{"title":"x","items":[`, "undecided"],
])("%s", (_what, text, format) => {
  expect(begins(text)).toBe(format);
});
