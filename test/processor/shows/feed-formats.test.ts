import * as fc from "fast-check";
import { expect, test } from "vitest";
import { feedFormats, feedText, type MadeShow } from "../../../scripts/origin/make-feed.ts";
import { readText } from "./read-text.ts";

/** Everything that a title can contain in one line. */
const title = fc
  .string({ unit: "binary", minLength: 1, maxLength: 60 })
  .map((text) => text.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, " ").trim())
  .filter((text) => text !== "");
const episode = fc.record({
  guid: fc.uuid(),
  title,
  url: fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => new URL(url).href),
  type: fc.constantFrom("audio/mpeg", "video/mp4", "audio/x-m4a"),
});
const show: fc.Arbitrary<MadeShow> = fc.record({ title, episodes: fc.array(episode, { maxLength: 8 }) });

test.each(feedFormats)(
  "any show written as %s is read back unchanged, however its text is chunked",
  (format) => {
    fc.assert(
      fc.property(show, fc.integer({ min: 1, max: 200 }), (made, pieceUnits) => {
        const read = readText(feedText(made, format), format === "json" ? "json" : "xml", pieceUnits);
        expect(read.title).toBe(made.title);
        expect(read.items).toEqual(
          made.episodes.map(({ guid, title: name, url, type }) => ({
            kind: "item",
            guid,
            title: name,
            media: [{ url, type }],
          })),
        );
      }),
    );
  },
);

test.each(feedFormats)("a page of %s names the next one", (format) => {
  const text = feedText({ title: "t", episodes: [], next: "/shows/two?page=2&x=1" }, format);
  const { next } = readText(text, format === "json" ? "json" : "xml");
  expect(next).toEqual(["https://feeds.example/shows/two?page=2&x=1"]);
});

test.each(feedFormats)(
  "a feed of %s mutated anywhere is read or rejected, without breaking anything",
  (format) => {
    const text = feedText(
      {
        title: "A show",
        episodes: [{ guid: "1", title: "One & <two>", url: "https://a.example/1.mp3", type: "audio/mpeg" }],
      },
      format,
    );
    const mutation = fc.record({
      at: fc.integer({ min: 0, max: text.length }),
      cut: fc.integer({ min: 0, max: 20 }),
      put: fc.oneof(
        fc.string({ unit: "binary", maxLength: 12 }),
        fc.constantFrom(
          "<",
          ">",
          "</",
          "/>",
          "<![CDATA[",
          "]]>",
          "<!--",
          "<!DOCTYPE",
          "&#0;",
          "&#xD800;",
          '"',
          "{",
          "[",
          "]",
          "}",
        ),
      ),
    });
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 6 }), (mutations) => {
        const broken = mutations.reduce(
          (now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut),
          text,
        );
        try {
          const { items } = readText(broken, format === "json" ? "json" : "xml", 7);
          for (const item of items) expect(item.media.every(({ url }) => URL.canParse(url))).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ name: "ShowFailure", code: "unreadable" });
        }
      }),
    );
  },
);
