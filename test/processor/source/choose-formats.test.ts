import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formats as outputFormats,
  presetMeanings,
  qualityPresets,
  videoCodecs,
  type EncodingOptions,
} from "../../../contracts/encoding-options.ts";
import { heldAudioCodecs, heldVideoCodecs } from "../../../processor/mux/container-codecs.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { formatsOf } from "../../../processor/source/choice.ts";
import { chooseFormats } from "../../../processor/source/choose-formats.ts";
import { directFormat } from "../../../processor/source/resolve-source.ts";
import type { SourceFormat } from "../../../processor/source/source.ts";
import { noOptions } from "../../contracts/no-options.ts";

function format(id: string, more: Partial<SourceFormat>): SourceFormat {
  const nothing = { videoCodec: null, audioCodec: null };
  return { ...directFormat(`https://media.example/${id}`, null), ...nothing, id, ...more };
}
const video = (id: string, height: number, codec: SourceFormat["videoCodec"] = "h264") =>
  format(id, { videoCodec: codec, height, width: Math.round((height * 16) / 9) });
const audio = (id: string, kbps: number, codec: SourceFormat["audioCodec"] = "aac") =>
  format(id, { audioCodec: codec, audioBitrateBps: kbps * 1000 });
const both = (id: string, height: number, kbps: number | null = null) =>
  format(id, {
    ...video(id, height),
    audioCodec: "aac",
    audioBitrateBps: kbps === null ? null : kbps * 1000,
  });

function chosenIds(formats: SourceFormat[], options: Partial<EncodingOptions> = {}): (string | null)[] {
  const choice = chooseFormats(formats, { ...noOptions, ...options });
  return [choice.video?.id ?? null, choice.audio?.id ?? null];
}

describe("the video", () => {
  test.each([
    [[720, 1080, 2160, 1440], 2160],
    [[720, 1080, 1440], 1440],
    [[720, 1080, 360], 1080],
    [[720, 480], 720],
    [[240, 480, 360], 480],
    [[4320, 720, 480], 720],
    [[4320, 480], 480],
    [[4320, 8640, 2880], 2880],
  ])("with heights %j is %i without a preset", (heights, expected) => {
    expect(chosenIds(heights.map((height) => video(String(height), height)))[0]).toBe(String(expected));
  });

  test.each([
    ["highest", [720, 4320, 2160], 4320],
    ["high", [720, 1080, 1440], 1080],
    ["medium", [360, 480, 1080], 480],
    ["low", [720, 1080, 2160], 720],
    ["lowest", [240, 360, 480], 360],
  ] as const)("with preset %s and heights %j is %i", (quality_preset, heights, expected) => {
    const offered = heights.map((height) => video(String(height), height));
    expect(chosenIds(offered, { quality_preset })[0]).toBe(String(expected));
  });

  test("is measured by its shorter side, even if upright", () => {
    const upright = [
      format("tall-720", { videoCodec: "h264", width: 720, height: 1280 }),
      format("tall-1080", { videoCodec: "h264", width: 1080, height: 1920 }),
      format("tall-2160", { videoCodec: "h264", width: 2160, height: 3840 }),
    ];
    expect(chosenIds(upright)[0]).toBe("tall-2160");
    expect(chosenIds(upright, { quality_preset: "high" })[0]).toBe("tall-1080");
  });

  test("of one size has a codec that the container supports, or else is the source's own favourite", () => {
    const offered = [video("vp9", 1080, "vp9"), video("h264", 1080, "h264"), video("vp8", 1080, "vp8")];
    expect(chosenIds(offered)[0]).toBe("h264");
    expect(chosenIds(offered, { format: "webm" })[0]).toBe("vp8");
    expect(chosenIds(offered, { format: "mkv" })[0]).toBe("vp8");
    expect(chosenIds(offered, { format: "mov" })[0]).toBe("h264");
    expect(chosenIds([video("a", 720), video("b", 720)])[0]).toBe("b");
  });

  test("has a codec that the container supports if there is one, and is otherwise the best, to be re-encoded", () => {
    const offered = [video("low", 480, "h264"), video("high", 2160, "vp9")];
    expect(chosenIds(offered, { format: "mov" })[0]).toBe("low");
    expect(chosenIds(offered, { format: "mov", video_codec: "copy" })[0]).toBe("low");
    expect(chosenIds(offered, { format: "mov", video_codec: "h264" })[0]).toBe("high");
    expect(chosenIds([video("only", 480, "vp8")])[0]).toBe("only");
    expect(chosenIds([video("only", 480, "other")])[0]).toBe("only");
  });

  test("of one size has the requested codec, whatever the container could hold instead", () => {
    const offered = [video("vp9", 1080, "vp9"), video("h264", 1080, "h264"), video("av1", 1080, "av1")];
    expect(chosenIds(offered, { video_codec: "h264" })[0]).toBe("h264");
    expect(chosenIds(offered, { video_codec: "vp9" })[0]).toBe("vp9");
    expect(chosenIds(offered, { video_codec: "vp9", video_quality: 20 })[0]).toBe("vp9");
    expect(chosenIds(offered, { format: "mkv", video_codec: "h265" })[0]).toBe("av1");
    const unsaid = [video("unknown", 1080, "unknown"), video("vp9", 1080, "vp9")];
    expect(chosenIds(unsaid, { video_codec: "h264" })[0]).toBe("unknown");
    const larger = [video("h264", 720, "h264"), video("vp9", 1080, "vp9")];
    expect(chosenIds(larger, { video_codec: "h264" })[0]).toBe("vp9");
  });

  test("that cannot be copied although requested is format_not_available", () => {
    const asking = () => chosenIds([video("a", 480, "h264")], { format: "webm", video_codec: "copy" });
    expect(asking).toThrow(expect.objectContaining({ code: "format_not_available" }));
  });

  test("of unknown codec may be copied: the file decides", () => {
    const offered = [format("page", { videoCodec: "unknown", audioCodec: "unknown" })];
    expect(chosenIds(offered, { format: "webm", video_codec: "copy" })).toEqual(["page", "page"]);
  });

  test("of known size is preferred to one of unknown size", () => {
    expect(chosenIds([format("silent about it", { videoCodec: "h264" }), video("small", 240)])[0]).toBe(
      "small",
    );
  });
});

describe("the audio", () => {
  const apart = [audio("low", 64), audio("high", 160, "opus"), audio("middle", 128), video("v", 720)];

  test("has the highest bitrate among the codecs that the container supports", () => {
    expect(chosenIds(apart)).toEqual(["v", "high"]);
    expect(chosenIds(apart, { format: "mov" })).toEqual(["v", "middle"]);
    expect(chosenIds(apart, { format: "webm" })).toEqual(["v", "high"]);
  });

  test("has the requested codec if that can be copied, and is otherwise the best", () => {
    expect(chosenIds(apart, { format: "mov", audio_codec: "aac" })).toEqual(["v", "middle"]);
    expect(chosenIds(apart, { audio_codec: "aac", audio_bitrate: "128k" })).toEqual(["v", "high"]);
    expect(chosenIds(apart, { audio_codec: "mp3" })).toEqual(["v", "high"]);
  });

  test("is re-encoded if the container supports none", () => {
    expect(chosenIds([audio("a", 128), video("v", 720, "vp9")], { format: "webm" })).toEqual(["v", "a"]);
  });

  test("is chosen alone for audio_only and for mp3", () => {
    expect(chosenIds(apart, { audio_only: true })).toEqual([null, "high"]);
    expect(chosenIds(apart, { audio_only: true, format: "mp4" })).toEqual([null, "middle"]);
    expect(chosenIds(apart, { format: "mp3" })).toEqual([null, "high"]);
    expect(chosenIds([both("a", 720)], { audio_only: true })).toEqual([null, "a"]);
  });

  test("is chosen alone for a source without video, with its own codec unless a format was requested", () => {
    const podcast = [audio("mp3", 128, "mp3"), audio("flac", 900, "flac")];
    expect(chosenIds(podcast)).toEqual([null, "flac"]);
    expect(chosenIds(podcast, { format: "mp4" })).toEqual([null, "mp3"]);
  });

  test("requested of a source without any is format_not_available", () => {
    for (const options of [{ audio_only: true }, { format: "mp3" }] as const) {
      expect(() => chosenIds([video("v", 720)], options)).toThrow(
        expect.objectContaining({ code: "format_not_available" }),
      );
    }
    expect(chosenIds([video("v", 720)])).toEqual(["v", null]);
  });

  test("comes with the video if it has any, unless other audio is known to be better", () => {
    expect(chosenIds([both("480", 480), both("720", 720)])).toEqual(["720", "720"]);
    expect(chosenIds([audio("fallback", 64), both("720", 720)])).toEqual(["720", "720"]);
    expect(chosenIds([audio("better", 192), both("720", 720, 96)])).toEqual(["720", "better"]);
    expect(chosenIds([both("360", 360, 96), video("1080", 1080)])).toEqual(["1080", "360"]);
  });

  test("comes from its own stream rather than from a second video of the same size", () => {
    expect(chosenIds([audio("a", 128), video("v", 720), both("both", 720, 96)])).toEqual(["v", "a"]);
  });

  test("is in the original's language", () => {
    const dubbed = { ...audio("dubbed", 256), languagePreference: -1 };
    expect(chosenIds([{ ...audio("original", 128), languagePreference: 10 }, dubbed])).toEqual([
      null,
      "original",
    ]);
  });
});

test("a format chosen for both is downloaded once", () => {
  const one = both("one", 720);
  expect(formatsOf({ video: one, audio: one })).toEqual([one]);
  expect(formatsOf({ video: one, audio: null })).toEqual([one]);
});

describe("for any offer and request", () => {
  const anyFormat = fc
    .record({
      videoCodec: fc.constantFrom<SourceFormat["videoCodec"]>(
        null,
        "unknown",
        "h264",
        "h265",
        "vp8",
        "vp9",
        "av1",
        "other",
      ),
      audioCodec: fc.constantFrom<SourceFormat["audioCodec"]>(
        null,
        "unknown",
        "aac",
        "mp3",
        "opus",
        "vorbis",
        "flac",
        "pcm",
        "other",
      ),
      width: fc.option(fc.integer({ min: 100, max: 8000 })),
      height: fc.option(fc.integer({ min: 100, max: 8000 })),
      audioBitrateBps: fc.option(fc.integer({ min: 8000, max: 512_000 })),
    })
    .filter(({ videoCodec, audioCodec }) => videoCodec !== null || audioCodec !== null);
  const anyFormats = fc
    .array(anyFormat, { minLength: 1, maxLength: 8 })
    .map((list) => list.map((more, index) => format(String(index), more)));
  const anyOptions = fc.record({
    format: fc.option(fc.constantFrom(...outputFormats)),
    video_codec: fc.option(fc.constantFrom(...videoCodecs)),
    audio_codec: fc.option(fc.constantFrom("copy" as const, "aac" as const)),
    quality_preset: fc.option(fc.constantFrom(...qualityPresets)),
    audio_only: fc.boolean(),
  });

  test("the chosen formats have what they were chosen for, and nothing is missing that was offered", () => {
    fc.assert(
      fc.property(anyFormats, anyOptions, (offered, options) => {
        const choice = choose(offered, options);
        if (choice === null) return;
        const soundAlone = options.audio_only || options.format === "mp3";
        const hasVideo = offered.some((one) => one.videoCodec !== null);
        expect(choice.video !== null).toBe(hasVideo && !soundAlone);
        expect(choice.audio !== null).toBe(offered.some((one) => one.audioCodec !== null));
        if (choice.video) expect(choice.video.videoCodec).not.toBeNull();
        if (choice.audio) expect(choice.audio.audioCodec).not.toBeNull();
      }),
    );
  });

  test("a copy has a codec that the container supports, if any is offered", () => {
    fc.assert(
      fc.property(anyFormats, anyOptions, (offered, options) => {
        const choice = choose(offered, { ...options, video_codec: null, audio_codec: null });
        if (!choice?.video) return;
        const container = options.format ?? "mp4";
        const heldVideo = new Set<string | null>([...heldVideoCodecs(container), "unknown"]);
        const heldAudio = new Set<string | null>([...heldAudioCodecs(container), "unknown"]);
        if (offered.some((one) => heldVideo.has(one.videoCodec))) {
          expect(heldVideo).toContain(choice.video.videoCodec);
        }
        if (choice.audio && offered.some((one) => heldAudio.has(one.audioCodec))) {
          expect(heldAudio).toContain(choice.audio.audioCodec);
        }
      }),
    );
  });

  test("no offered video of the same codec is closer to the preset's limit", () => {
    fc.assert(
      fc.property(anyFormats, anyOptions, fc.constantFrom(...qualityPresets), (offered, options, preset) => {
        const chosen = choose(offered, { ...options, quality_preset: preset })?.video;
        if (!chosen?.height || !chosen.width) return;
        const cap = presetMeanings[preset].shorterSideMax ?? Infinity;
        const side = Math.min(chosen.width, chosen.height);
        for (const other of offered.filter((one) => one.videoCodec === chosen.videoCodec)) {
          if (!other.height || !other.width) continue;
          const otherSide = Math.min(other.width, other.height);
          if (side <= cap) expect(otherSide <= side || otherSide > cap).toBe(true);
          else expect(otherSide).toBeGreaterThanOrEqual(side);
        }
      }),
    );
  });

  function choose(offered: SourceFormat[], options: Partial<EncodingOptions>) {
    try {
      return chooseFormats(offered, { ...noOptions, ...options });
    } catch (error) {
      if (error instanceof JobFailure && error.code === "format_not_available") return null;
      throw error;
    }
  }
});
