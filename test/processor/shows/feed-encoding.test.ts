import { expect, test } from "vitest";
import { feedEncoding } from "../../../processor/shows/feed-encoding.ts";

const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><rss/>`;
const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();

test.each([
  ["plain ASCII", Buffer.from("<rss/>"), undefined, "utf-8"],
  ["a byte order mark of UTF-8", Buffer.from("\uFEFF<rss/>"), "text/xml; charset=iso-8859-1", "utf-8"],
  [
    "a byte order mark of UTF-16",
    Buffer.from("\uFEFF<rss/>", "utf16le"),
    "text/xml; charset=utf-8",
    "utf-16le",
  ],
  ["a big-endian byte order mark", utf16be("\uFEFF<rss/>"), undefined, "utf-16be"],
  ["UTF-16 without a mark", Buffer.from("<rss/>", "utf16le"), undefined, "utf-16le"],
  ["big-endian UTF-16 without a mark", utf16be("<rss/>"), undefined, "utf-16be"],
  ["the header", latin1("<rss>\xef\xe5</rss>"), 'text/xml; charset="windows-1251"', "windows-1251"],
  ["the declaration", latin1(`${xml("windows-1251")}\xef`), "text/xml", "windows-1251"],
  [
    "the header before the declaration",
    latin1(`${xml("koi8-r")}\xef`),
    "text/xml;charset=windows-1251",
    "windows-1251",
  ],
  [
    "bytes that are valid UTF-8, whatever is declared",
    Buffer.from(`${xml("iso-8859-1")}é`),
    "text/xml; charset=iso-8859-1",
    "utf-8",
  ],
  ["UTF-8 cut within a character", Buffer.from("<rss>é€").subarray(0, -1), undefined, "utf-8"],
  ["no declaration and no UTF-8", latin1("<rss>\xe9 x</rss>"), "text/xml", "windows-1252"],
  ["an unknown name", latin1(`${xml("nonsense")}\xe9 x`), "text/xml; charset=none", "windows-1252"],
  ["UTF-16 declared for other bytes", Buffer.from(xml("utf-16")), undefined, "utf-8"],
])("the encoding is detected by %s", (_what, head, contentType, encoding) => {
  expect(feedEncoding(head, contentType)).toBe(encoding);
});
