import { describe, expect, test } from "vitest";
import { subtitlesMax } from "../../../contracts/sidecar-key.ts";
import { planSidecars, sidecarSuffixes } from "../../../processor/sidecars/plan-sidecars.ts";
import type { ListedSidecars } from "../../../processor/source/source.ts";
import { audio, media, video } from "../mux/sample-media.ts";

const nothing: ListedSidecars = { language: null, subtitles: [], thumbnails: [] };
const both = { download_subtitles: true, download_thumbnail: true };
const listed = (language: string) => ({ language, content: { text: `WEBVTT ${language}` } });
const track = (index: number, language: string | null, isForced = false) => ({ index, language, isForced });

describe("planSidecars", () => {
  test("plans nothing that was not asked for", () => {
    const source = {
      ...nothing,
      subtitles: [listed("en")],
      thumbnails: [{ url: "https://a/", headers: {} }],
    };
    const plan = planSidecars(source, [media([video("h264")], [])], {
      download_subtitles: false,
      download_thumbnail: false,
    });
    expect(sidecarSuffixes(plan)).toEqual([]);
  });

  test("takes each language once: listed ones before tracks, whole ones before forced ones", () => {
    const file = media([video("h264")], [audio("aac")], {
      subtitles: [
        track(2, "ger", true),
        track(3, "ger"),
        track(4, "eng"),
        track(5, "fra", true),
        track(6, null),
      ],
    });
    const plan = planSidecars({ ...nothing, subtitles: [listed("en"), listed("en_US")] }, [file], {
      ...both,
      download_thumbnail: false,
    });
    expect(sidecarSuffixes(plan).toSorted()).toEqual(["de.vtt", "en-US.vtt", "en.vtt", "fr.vtt", "und.vtt"]);
    const from = (language: string) => plan.subtitles.find((each) => each.language === language)?.from;
    expect(from("en")).toEqual({ content: { text: "WEBVTT en" } });
    expect(from("de")).toEqual({ track: { input: 0, kind: "mp4", index: 3 } });
    expect(from("fr")).toEqual({ track: { input: 0, kind: "mp4", index: 5 } });
  });

  test("takes no more languages than there may be", () => {
    const subtitles = Array.from({ length: 300 }, (_, index) => listed(`x-l${index}`));
    expect(planSidecars({ ...nothing, subtitles }, [media([], [audio("aac")])], both).subtitles).toHaveLength(
      subtitlesMax,
    );
  });

  test("tries the best listed pictures, then the cover, then one from the film", () => {
    const thumbnails = ["1", "2", "3", "4"].map((name) => ({ url: `https://a/${name}`, headers: {} }));
    const files = [
      media([video("h264", { index: 1 })], [], { kind: "webm", durationSeconds: 60 }),
      media([], [audio("aac")], { hasCover: true }),
    ];
    expect(planSidecars({ ...nothing, thumbnails }, files, both).pictures).toEqual([
      ...["4", "3", "2"].map((name) => ({ listed: { url: `https://a/${name}`, headers: {} } })),
      { cover: { input: 1, kind: "mp4" } },
      { frame: { input: 0, kind: "webm", index: 1 }, atSeconds: 6 },
    ]);
    expect(sidecarSuffixes(planSidecars(nothing, [media([], [audio("aac")])], both))).toEqual([]);
  });

  test("knows the original's language by the source, else by the sound", () => {
    const sounds = [audio("aac", { language: "eng" }), audio("aac", { language: "ger", isDefault: true })];
    const files = [media([video("h264")], sounds)];
    expect(planSidecars({ ...nothing, language: "da" }, files, both).originalLanguage).toBe("da");
    expect(planSidecars(nothing, files, both).originalLanguage).toBe("de");
    expect(planSidecars(nothing, [media([video("h264")], [])], both).originalLanguage).toBeNull();
  });
});
