import { expect, test } from "vitest";
import { readText } from "./read-text.ts";

const version = "https://jsonfeed.org/version/1.1";
const feed = (rest: object) => JSON.stringify({ version, title: "Show", ...rest });

test("attachments are an item's media, in order and relative to the feed", () => {
  const items = [
    {
      id: 7,
      title: " One ",
      attachments: [{ url: "1.mp3", mime_type: "audio/mpeg" }, { url: "https://a.example/1.mp4" }],
    },
  ];
  expect(readText(feed({ items }), "json", 3).items).toEqual([
    {
      kind: "item",
      guid: "7",
      title: "One",
      media: [
        { url: "https://feeds.example/shows/1.mp3", type: "audio/mpeg" },
        { url: "https://a.example/1.mp4", type: null },
      ],
    },
  ]);
});

test("fields of the wrong type are ignored", () => {
  const items = [
    null,
    5,
    { id: {}, title: 3, attachments: "x" },
    { attachments: [null, { url: 4 }, { url: "/a.mp3", mime_type: 1 }] },
  ];
  expect(readText(feed({ items }), "json").items).toEqual([
    { kind: "item", guid: null, title: null, media: [] },
    { kind: "item", guid: null, title: null, media: [{ url: "https://feeds.example/a.mp3", type: null }] },
  ]);
});

test("only the feed's own title and next page count", () => {
  const text = feed({
    author: { title: "x", next_url: "/y" },
    next_url: "two.json",
    items: [{ title: "One", next_url: "/z" }],
  });
  const { title, next } = readText(text, "json");
  expect([title, next]).toEqual(["Show", ["https://feeds.example/shows/two.json"]]);
});

test.each([
  ["ends within its text", feed({ items: [] }).slice(0, -3)],
  ["is not JSON", `{"items": nothing}`],
  ["is nested without end", `{"items":${"[".repeat(100_000)}`],
  ["has an item that would not fit", feed({ items: [{ x: Array.from({ length: 200_000 }, () => []) }] })],
])("a feed that %s is rejected", (_what, text) => {
  expect(() => readText(text, "json", 50_000)).toThrow(expect.objectContaining({ code: "unreadable" }));
});

test("anything after the feed is ignored", () => {
  expect(readText(`${feed({ items: [{ id: "1" }] })}\n\n\u0000`, "json", 10).items).toHaveLength(1);
});
