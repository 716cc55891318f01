import { expect, test } from "vitest";
import { readText, rss } from "./read-text.ts";

const mp3 = `<enclosure url="https://a.example/1.mp3" type="audio/mpeg" length="1"/>`;

function onlyItem(item: string) {
  const { items } = readText(rss(item), "xml", 5);
  expect(items).toHaveLength(1);
  return items[0];
}
const urlsOf = (item: string) => onlyItem(item)?.media.map(({ url }) => url);

test.each([
  ["plain", "A talk", "A talk"],
  ["an entity of XML", "Q &amp; A", "Q & A"],
  ["HTML escaped twice", "Q &amp;amp; A &amp;#8217;s", "Q & A ’s"],
  ["CDATA", "<![CDATA[Q & A <b>live</b>]]>", "Q & A live"],
  ["an HTML entity in CDATA", "<![CDATA[Caf&eacute;]]>", "Café"],
  ["an entity that XML does not know", "Caf&eacute;&nbsp;1", "Café 1"],
  ["a bare ampersand", "Q & A", "Q & A"],
  ["a number", "&#x1F399; on air", "🎙 on air"],
  ["elements where none belong", "A <b>bold</b> talk", "A bold talk"],
  ["lines and tabs", "A\n\t talk\u0007", "A talk"],
  ["a sign that is not a tag", "<![CDATA[3 < 4 and I <3 it]]>", "3 < 4 and I <3 it"],
  ["nothing", " ", null],
] as const)("the title of an item is decoded: %s", (_what, written, title) => {
  expect(onlyItem(`<item><title>${written}</title>${mp3}</item>`)?.title).toBe(title);
});

test("a title is cut to 500 code points", () => {
  const title = onlyItem(`<item><title>${"🎙".repeat(9000)}</title>${mp3}</item>`)?.title;
  expect(title).toBe("🎙".repeat(500));
});

test("an item without a title has its iTunes title", () => {
  expect(onlyItem(`<item><itunes:title>Short</itunes:title>${mp3}</item>`)?.title).toBe("Short");
  expect(onlyItem(`<item><itunes:title>Short</itunes:title><title>Long</title>${mp3}</item>`)?.title).toBe(
    "Long",
  );
});

test("titles inside a channel's or an item's other elements are ignored", () => {
  const text = rss(
    `<image><title>Logo</title></image><item><source><title>Other</title></source>` +
      `<media:group><media:title>Clip</media:title></media:group><title>Mine</title>${mp3}</item>`,
  );
  const { title, items } = readText(
    text.replace("<title>Show</title>", "<image><title>x</title></image><title>Show</title>"),
    "xml",
  );
  expect([title, items[0]?.title]).toEqual(["Show", "Mine"]);
});

test("Atom's titles are markup only if declared so", () => {
  const atom = (type: string, title: string) =>
    readText(
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title ${type}>${title}</title></entry></feed>`,
      "xml",
    ).items[0]?.title;
  expect(atom("", "a &lt;b&gt; c")).toBe("a <b> c");
  expect(atom(`type="html"`, "a &lt;b&gt;c&lt;/b&gt; &amp;amp; d")).toBe("a c & d");
  expect(atom(`type="xhtml"`, `<div xmlns="http://www.w3.org/1999/xhtml">a <i>b</i></div>`)).toBe("a b");
});

test("references are relative to the nearest xml:base, and that to the feed's URL", () => {
  expect(urlsOf(`<item><enclosure url="1.mp3"/></item>`)).toEqual(["https://feeds.example/shows/1.mp3"]);
  expect(urlsOf(`<item xml:base="/media/"><enclosure url="1.mp3"/></item>`)).toEqual([
    "https://feeds.example/media/1.mp3",
  ]);
  expect(urlsOf(`<item><enclosure xml:base="//b.example/x/" url=" ../1.mp3 "/></item>`)).toEqual([
    "https://b.example/1.mp3",
  ]);
});

test("the publisher's enclosure comes first, then the alternates, then Media RSS", () => {
  expect(
    urlsOf(
      `<item><media:group><media:content url="https://a.example/m1.mp3"/>` +
        `<media:content url="https://a.example/m2.mp3" isDefault="true"/>` +
        `<media:content url="https://a.example/cover.jpg" medium="image"/></media:group>` +
        `<podcast:alternateEnclosure type="audio/opus"><podcast:source uri="https://a.example/a1.opus"/>` +
        `<podcast:source uri="ipfs://abc"/></podcast:alternateEnclosure>` +
        `<podcast:alternateEnclosure type="video/mp4" default="true"><podcast:source uri="https://a.example/a2.mp4"/>` +
        `</podcast:alternateEnclosure>${mp3}</item>`,
    ),
  ).toEqual([
    "https://a.example/1.mp3",
    "https://a.example/a2.mp4",
    "https://a.example/a1.opus",
    "ipfs://abc",
    "https://a.example/m2.mp3",
    "https://a.example/m1.mp3",
  ]);
});

test("prefixes mean what their namespaces say, declared or not", () => {
  const item = `<item><m:content url="https://a.example/1.mp3"/></item>`;
  const declared = `<rss xmlns:m="http://search.yahoo.com/mrss"><channel>${item}</channel></rss>`;
  expect(readText(declared, "xml").items[0]?.media).toHaveLength(1);
  const undeclared = declared.replace(/ xmlns:m="[^"]*"/, "").replace("m:content", "media:content");
  expect(readText(undeclared, "xml").items[0]?.media).toHaveLength(1);
});

test.each([
  [
    "items are outside the channel",
    `</channel><item><title>A</title>${mp3}</item><item><title>B</title>${mp3}</item>`,
  ],
  ["an item is never closed", `<item><title>A</title>${mp3}<item><title>B</title>${mp3}</item>`],
  [
    "HTML is in a description",
    `<item><title>A</title><description><p>x<br></description>${mp3}</item><item><title>B</title>${mp3}</item>`,
  ],
  [
    "attributes have no quotes",
    `<item><title>A</title><enclosure url=https://a.example/1.mp3 type=audio/mpeg></item><item><title>B</title>${mp3}</item>`,
  ],
  ["names are in the wrong case", `<Item><Title>A</Title>${mp3}</Item><ITEM><TITLE>B</TITLE>${mp3}</ITEM>`],
])("a broken feed is read as far as possible: %s", (_what, content) => {
  const text = `<rss><channel>${content}</channel></rss>`;
  const { items } = readText(text, "xml");
  expect(items.map(({ title, media }) => [title, media[0]?.url])).toEqual([
    ["A", "https://a.example/1.mp3"],
    ["B", "https://a.example/1.mp3"],
  ]);
});

test.each([
  ["within its root", rss(`<item><title>A</title>${mp3}</item>`).replace("</rss>", "")],
  ["within its last tag", rss(`<item><title>A</title>${mp3}</item>`).slice(0, -1)],
  ["within an item", rss(`<item><title>A</title>${mp3}</item>`).slice(0, -40)],
  ["within a comment", rss("").replace("</channel>", "<!-- ")],
  ["within CDATA", rss("<item><title><![CDATA[A")],
])("a feed that ends %s is rejected", (_what, text) => {
  expect(() => readText(text, "xml", 9)).toThrow(expect.objectContaining({ code: "unreadable" }));
});

test("anything after the feed is ignored", () => {
  expect(readText(`${rss(`<item>${mp3}</item>`)}\n<!-- 0.2 s --><p>x`, "xml", 9).items).toHaveLength(1);
  expect(readText("<rss/>", "xml").items).toEqual([]);
});

test("an archive continues with its older part", () => {
  const links = `<atom:link rel="prev-archive" href="2019.xml"/><atom:link rel="next-archive" href="2021.xml"/>`;
  expect(readText(rss(links), "xml").next).toEqual(["https://feeds.example/shows/2019.xml"]);
});

test("entities defined by a document are neither expanded nor fetched", () => {
  const lines = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
  const text = `<!DOCTYPE rss [<!ENTITY e0 "boom">${lines.join("")}<!ENTITY file SYSTEM "file:///etc/passwd">]>${rss(
    `<item><title>&e20; &file;</title>${mp3}</item>`,
  )}`;
  expect(readText(text, "xml").items[0]?.title).toBe("&e20; &file;");
});

test("endless nesting is rejected at once", () => {
  expect(() => readText(rss("<a>".repeat(1_000_000)), "xml", 1000)).toThrow("nested too deep");
});

test("only as many media of an item are kept as any real feed has", () => {
  expect(urlsOf(`<item>${mp3.repeat(100_000)}</item>`)).toHaveLength(1000);
});

test("a base longer than any URL is ignored", () => {
  const base = `https://b.example/${"b".repeat(20_000)}/`;
  expect(urlsOf(`<item xml:base="${base}"><enclosure url="https://a.example/1.mp3"/></item>`)).toEqual([
    "https://a.example/1.mp3",
  ]);
  expect(urlsOf(`<item xml:base="${base}"><enclosure url="1.mp3"/></item>`)?.join()).not.toContain("bbb");
});

test("only as many namespaces are kept as any real feed has", () => {
  const declared = Array.from({ length: 40_000 }, (_, index) => `xmlns:n${index}="urn:n"`).join(" ");
  const nested = '<a xmlns:b="urn:b"/>'.repeat(200_000);
  expect(urlsOf(`<item ${declared}>${nested}${mp3}</item>`)).toEqual(["https://a.example/1.mp3"]);
});
