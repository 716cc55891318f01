import { gzipSync } from "node:zlib";
import { rss } from "../../processor/shows/read-text.ts";
import type { Canaries } from "./canaries.ts";
import type { HostileRow } from "./row.ts";

const item = (title: string, enclosure: string) =>
  `<item><title>${title}</title><enclosure url="${enclosure}"/></item>`;
const one = item("One", "https://media.example/1.mp3");
const jsonFeed = (items: string) =>
  `{"version":"https://jsonfeed.org/version/1.1","title":"t","items":${items}}`;
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i));

/**
 * Feeds, and their results: the titles of their episodes, or why there are none. They are read with a limit of a
 * million bytes.
 */
export function hostileFeeds({ url, text }: Canaries): HostileRow<string | Buffer, string>[] {
  const doctype = (declarations: string) => `<!DOCTYPE rss [${declarations}]>`;
  return [
    {
      input: doctype(`<!ENTITY x SYSTEM "file://${text}">`) + rss(item("&x;", "https://media.example/1.mp3")),
      why: "an entity that is a local file",
      expected: "&x;",
    },
    {
      input: doctype(`<!ENTITY x SYSTEM "${url}/x">`) + rss(item("&x;", "https://media.example/1.mp3")),
      why: "an entity that is fetched",
      expected: "&x;",
    },
    {
      input:
        doctype(lines(30, (n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join("")) +
        rss(item("&e30;", "https://media.example/1.mp3")),
      why: "entities that grow tenfold thirty times",
      expected: "&e30;",
    },
    {
      input: doctype(`<!ENTITY % p SYSTEM "${url}/dtd"> %p;`) + rss(one),
      why: "declarations that are fetched",
      expected: "One",
    },
    {
      input: `<?xml-stylesheet type="text/xsl" href="${url}/style.xsl"?>${rss(one)}`,
      why: "a style sheet that is a program",
      expected: "One",
    },
    {
      input: rss(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${text}"/>${one}`),
      why: "an inclusion of a local file",
      expected: "One",
    },
    {
      input: rss(item("One", `file://${text}`)),
      why: "an episode that is a local file",
      expected: "no_episodes",
    },
    {
      input: rss(item("One", `${url}/1.mp3`)),
      why: "an episode at a forbidden address",
      expected: "no_episodes",
    },
    {
      input: rss(item("One", "http://169.254.169.254/1.mp3")),
      why: "an episode that is metadata",
      expected: "no_episodes",
    },
    {
      input: rss(item("One", "http://user:secret@media.example/1.mp3")),
      why: "an episode with credentials",
      expected: "no_episodes",
    },
    {
      input: rss(`<item xml:base="${url}/"><enclosure url="1.mp3"/></item>`),
      why: "a base that moves an episode to a forbidden address",
      expected: "no_episodes",
    },
    {
      input: rss(item("One", "javascript:alert(1)")),
      why: "an episode that is code",
      expected: "no_episodes",
    },
    {
      input: rss(`<atom:link rel="next" href="${url}/page-2"/>${one}`),
      why: "a next page at a forbidden address",
      expected: "unreadable",
    },
    {
      input: rss(`<atom:link rel="next" href="file://${text}"/>${one}`),
      why: "a next page that is a local file",
      expected: "unreadable",
    },
    { input: rss("<a>".repeat(50_000)), why: "elements within elements", expected: "unreadable" },
    {
      input: rss(`<item ${lines(20_000, (n) => `a${n}="x"`).join(" ")}><title>One</title></item>${one}`),
      why: "thousands of attributes",
      expected: "One",
    },
    {
      input: rss(
        `<item ${lines(2000, (n) => `xmlns:p${n}="u${n}"`).join(" ")}>${"<p1:a/>".repeat(5000)}</item>${one}`,
      ),
      why: "thousands of namespaces",
      expected: "One",
    },
    {
      input: rss(item("T".repeat(900_000), "https://media.example/1.mp3")),
      why: "a title of a megabyte",
      expected: "T".repeat(500),
    },
    {
      input: rss(item("a&#0;&#10;b\u202e&lt;script&gt;x&lt;/script&gt;", "https://media.example/1.mp3")),
      why: "a title with control characters and markup",
      expected: "a\uFFFD b\u202ex",
    },
    { input: rss(one.repeat(5000)), why: "one episode five thousand times", expected: "One" },
    { input: rss(`<item><title>One</title>`), why: "an item without an end", expected: "no_episodes" },
    {
      input: gzipSync(rss(`${" ".repeat(20_000_000)}${one}`)),
      why: "twenty megabytes in twenty kilobytes",
      expected: "too_large",
    },
    {
      input: gzipSync(gzipSync(rss(one))),
      why: "a compressed file in a compressed file: one layer is opened",
      expected: "not_a_show",
    },
    { input: jsonFeed("[".repeat(100_000)), why: "lists within lists", expected: "unreadable" },
    {
      input: jsonFeed(`[{"__proto__":{"id":"x"},"attachments":[{"url":"file://${text}"}]}]`),
      why: "a prototype, and an episode that is a local file",
      expected: "no_episodes",
    },
    {
      input: jsonFeed(
        `[{"id":{},"title":[1],"attachments":{"url":1}},{"title":"One","attachments":[null,{"url":"https://media.example/1.mp3"}]}]`,
      ),
      why: "fields of other types",
      expected: "One",
    },
    {
      input: `{"version":"https://jsonfeed.org/version/1.1","next_url":"${url}/2","items":[]}`,
      why: "a next page at a forbidden address, as JSON",
      expected: "unreadable",
    },
    {
      input: `<?xml version="1.0" encoding="utf-7"?>${rss(one)}`,
      why: "an encoding in which markup hides",
      expected: "One",
    },
    { input: `<!--${"-".repeat(900_000)}`, why: "a comment without an end", expected: "not_a_show" },
    { input: `<${"a".repeat(900_000)}`, why: "a name without an end", expected: "not_a_show" },
  ];
}
