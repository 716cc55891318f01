import { describe, expect, test } from "vitest";
import { listedSidecars } from "../../../processor/source/listed-sidecars.ts";

const at = (name: string) => `https://media.example/${name}`;
const file = (name: string) => ({ files: [{ url: at(name), headers: {} }] });

describe("listedSidecars", () => {
  test("takes the variant of each language that is easiest to read", () => {
    const { subtitles } = listedSidecars({
      subtitles: {
        en: ["json3", "ttml", "vtt", "srt"].map((ext) => ({ ext, url: at(`en.${ext}`) })),
        de: [{ ext: "dfxp", url: at("de.dfxp") }],
        fr: [{ ext: "vtt", protocol: "m3u8_native", url: at("fr.m3u8"), http_headers: { a: "b" } }],
        it: [{ ext: "vtt", data: "WEBVTT" }],
        live_chat: [{ ext: "json", url: at("chat"), protocol: "youtube_live_chat_replay" }],
        es: [{ ext: "vtt", url: "file:///etc/passwd" }],
      },
    });
    expect(subtitles).toEqual([
      { language: "en", content: file("en.vtt") },
      { language: "de", content: file("de.dfxp") },
      { language: "fr", content: { playlist: { url: at("fr.m3u8"), headers: { a: "b" } } } },
      { language: "it", content: { text: "WEBVTT" } },
    ]);
  });

  test("resolves the fragments of a fragmented one", () => {
    const { subtitles } = listedSidecars({
      subtitles: {
        en: [
          {
            ext: "vtt",
            url: at("manifest.mpd"),
            fragment_base_url: at("subs/"),
            fragments: [{ path: "1.vtt" }, { url: at("2.vtt") }],
          },
        ],
      },
    });
    expect(subtitles[0]?.content).toEqual({
      files: [
        { url: at("subs/1.vtt"), headers: {} },
        { url: at("2.vtt"), headers: {} },
      ],
    });
  });

  test("takes automatic captions only if there are no others, and only in the spoken language", () => {
    const captions = (...languages: string[]) =>
      Object.fromEntries(languages.map((each) => [each, [{ ext: "vtt", url: at(`${each}?tlang=${each}`) }]]));
    const languagesOf = (info: unknown) => listedSidecars(info).subtitles.map(({ language }) => language);
    const automatic = captions("en", "de-orig", "de");
    expect(languagesOf({ automatic_captions: automatic })).toEqual(["de"]);
    expect(languagesOf({ automatic_captions: captions("en", "de"), language: "en" })).toEqual(["en"]);
    const plain = { en: [{ ext: "vtt", url: at("en") }] };
    expect(languagesOf({ automatic_captions: { ...captions("de"), ...plain } })).toEqual(["en"]);
    expect(languagesOf({ automatic_captions: automatic, subtitles: { fr: plain.en } })).toEqual(["fr"]);
  });

  test("ignores what it does not understand", () => {
    const nothing = { language: null, subtitles: [], thumbnails: [] };
    for (const info of [{}, { subtitles: 5, thumbnails: [1] }, { subtitles: { en: 1, de: [{ url: 5 }] } }])
      expect(listedSidecars(info)).toEqual(nothing);
  });
});
