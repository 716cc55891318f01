import { describe, expect, test } from "vitest";
import { subtitlesMax } from "../../../contracts/sidecar-key.ts";
import { needsFile, planSidecars, sidecarSuffixes } from "../../../processor/sidecars/plan-sidecars.ts";
import type { ListedSidecars } from "../../../processor/source/source.ts";
import { audio, media, video } from "../mux/sample-media.ts";

const nothing: ListedSidecars = { language: null, subtitles: [], thumbnails: [] };
const both = { download_subtitles: true, download_thumbnail: true };
const listed = (language: string) => ({ language, content: { text: `WEBVTT ${language}` } });
const track = (index: number, language: string | null, isForced = false) => ({ index, language, isForced });

describe("planSidecars", () => {
  test("plans nothing without a request", () => {
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

  test("takes each language once: listed ones before tracks, complete ones before forced ones", () => {
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
    expect(plan.listed.subtitles).toEqual([listed("en"), { ...listed("en_US"), language: "en-US" }]);
    const streamIn = (language: string) => plan.tracks.find((each) => each.language === language)?.stream;
    expect(streamIn("de")).toEqual({ input: 0, kind: "mp4", index: 3 });
    expect(streamIn("fr")).toEqual({ input: 0, kind: "mp4", index: 5 });
  });

  test("takes no more languages than the limit", () => {
    const subtitles = Array.from({ length: 300 }, (_, index) => listed(`x-l${index}`));
    const file = media([], [audio("aac")], { subtitles: [track(1, "eng")] });
    const plan = planSidecars({ ...nothing, subtitles }, [file], both);
    expect(plan.listed.subtitles).toHaveLength(subtitlesMax);
    expect(plan.tracks).toEqual([]);
  });

  test("tries the best listed images, then the cover, then a frame of the film", () => {
    const thumbnails = ["1", "2", "3", "4"].map((name) => ({ url: `https://a/${name}`, headers: {} }));
    const files = [
      media([video("h264", { index: 1 })], [], { kind: "webm", durationSeconds: 60 }),
      media([], [audio("aac")], { hasCover: true }),
    ];
    const plan = planSidecars({ ...nothing, thumbnails }, files, both);
    expect(plan.listed.pictures).toEqual(
      ["4", "3", "2"].map((name) => ({ url: `https://a/${name}`, headers: {} })),
    );
    expect(plan.pictures).toEqual([
      { cover: { input: 1, kind: "mp4" } },
      { frame: { input: 0, kind: "webm", index: 1 }, atSeconds: 6 },
    ]);
    expect(sidecarSuffixes(planSidecars(nothing, [media([], [audio("aac")])], both))).toEqual([]);
  });

  test("needs the file for its tracks, and for an image if none is listed", () => {
    const film = media([video("h264")], [audio("aac")], { subtitles: [track(2, "eng")] });
    const thumbnails = [{ url: "https://a/", headers: {} }];
    const plan = (source: ListedSidecars, wishes = both) =>
      needsFile(planSidecars(source, [film], { ...both, ...wishes }));
    const pictureAlone = { ...both, download_subtitles: false };
    expect(plan({ ...nothing, thumbnails, subtitles: [listed("en")] })).toBe(false);
    expect(plan({ ...nothing, thumbnails, subtitles: [listed("fr")] })).toBe(true);
    expect(plan({ ...nothing, thumbnails }, pictureAlone)).toBe(false);
    expect(plan(nothing, pictureAlone)).toBe(true);
  });

  test("gets the original's language from the source, or else from the audio", () => {
    const sounds = [audio("aac", { language: "eng" }), audio("aac", { language: "ger", isDefault: true })];
    const files = [media([video("h264")], sounds)];
    expect(planSidecars({ ...nothing, language: "da" }, files, both).originalLanguage).toBe("da");
    expect(planSidecars(nothing, files, both).originalLanguage).toBe("de");
    expect(planSidecars(nothing, [media([video("h264")], [])], both).originalLanguage).toBeNull();
  });
});
