import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  audioBitrates,
  audioCodecs,
  formats,
  impossibleCombination,
  qualityPresets,
  videoCodecs,
  type EncodingOptions,
} from "../../../contracts/encoding-options.ts";
import { heldAudioCodecs, heldVideoCodecs } from "../../../processor/mux/container-codecs.ts";
import { planOutput, type OutputPlan } from "../../../processor/mux/plan-output.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import type { AudioCodecName, VideoCodecName } from "../../../processor/source/source.ts";
import type { AudioStream } from "../../../processor/mux/media.ts";
import { audio, media, options, video } from "./sample-media.ts";

const film = (picture: VideoCodecName, sound: AudioCodecName) => [media([video(picture)], [audio(sound)])];
const sound = (codec: AudioCodecName) => [media([], [audio(codec)])];

/** A plan in short, such as `mp4: h264 copy, aac 192000`. */
function summary({ container, video: picture, audio: tone }: OutputPlan): string {
  const parts = [
    picture &&
      (picture.handling === "copy"
        ? `${picture.stream.codec} copy`
        : `${picture.codec} crf ${picture.quality}`),
    tone && (tone.handling === "copy" ? `${tone.stream.codec} copy` : `${tone.codec} ${tone.bitrateBps}`),
  ];
  return `${container}: ${parts.filter((part) => part !== null).join(", ")}`;
}

const plan = (inputs: Parameters<typeof planOutput>[0], given: Partial<EncodingOptions> = {}) =>
  summary(planOutput(inputs, options(given)));

describe("a source with video", () => {
  test.for([
    ["h264", "aac", {}, "mp4: h264 copy, aac copy"],
    ["av1", "opus", {}, "mp4: av1 copy, opus copy"],
    ["h264", "vorbis", {}, "mp4: h264 copy, aac 192000"],
    ["h264", "vorbis", { audio_codec: "copy", audio_bitrate: "64k" }, "mp4: h264 copy, aac 64000"],
    ["vp8", "opus", {}, "mp4: h264 crf 23, opus copy"],
    ["vp8", "opus", { quality_preset: "low" }, "mp4: h264 crf 28, opus copy"],
    ["vp8", "opus", { quality_preset: "low", video_quality: 0 }, "mp4: h264 crf 0, opus copy"],
    ["h264", "aac", { format: "webm" }, "webm: vp9 crf 23, opus 192000"],
    ["vp9", "opus", { format: "mov" }, "mov: h264 crf 23, aac 192000"],
    ["other", "other", { format: "mkv" }, "mkv: other copy, other copy"],
    ["other", "other", { format: "mkv", video_codec: "copy" }, "mkv: other copy, other copy"],
    ["h264", "aac", { video_codec: "h265" }, "mp4: h265 crf 23, aac copy"],
    ["h264", "aac", { video_codec: "h264", audio_codec: "mp3" }, "mp4: h264 copy, mp3 192000"],
    ["h264", "aac", { video_codec: "h264", audio_codec: "aac" }, "mp4: h264 copy, aac copy"],
    ["h264", "aac", { video_codec: "h264", quality_preset: "low" }, "mp4: h264 copy, aac copy"],
    ["h264", "aac", { video_codec: "h264", video_quality: 30 }, "mp4: h264 crf 30, aac copy"],
    ["h264", "aac", { video_codec: "h264", audio_bitrate: "64k" }, "mp4: h264 copy, aac copy"],
    ["h264", "aac", { audio_codec: "aac", audio_bitrate: "64k" }, "mp4: h264 copy, aac 64000"],
    ["h264", "aac", { audio_codec: "aac", video_quality: 30 }, "mp4: h264 copy, aac copy"],
    ["vp9", "opus", { format: "webm", video_codec: "vp9", audio_codec: "opus" }, "webm: vp9 copy, opus copy"],
    ["h264", "aac", { format: "mp3" }, "mp3: mp3 192000"],
    ["h264", "aac", { audio_only: true }, "m4a: aac copy"],
    ["h264", "mp3", { audio_only: true, format: "mp4" }, "m4a: aac 192000"],
    ["h264", "mp3", { audio_only: true, format: "mov" }, "m4a: aac 192000"],
    ["h264", "mp3", { audio_only: true, format: "mkv" }, "mka: mp3 copy"],
    ["h264", "mp3", { audio_only: true, format: "webm" }, "webm: opus 192000"],
    ["h264", "mp3", { audio_only: true, format: "mp3" }, "mp3: mp3 copy"],
  ] as const)("of %s and %s with %j becomes %s", ([picture, tone, given, expected]) => {
    expect(plan(film(picture, tone), given)).toBe(expected);
  });
});

describe("a source without video", () => {
  test.for([
    ["mp3", {}, "mp3: mp3 copy"],
    ["aac", {}, "m4a: aac copy"],
    ["opus", {}, "opus: opus copy"],
    ["vorbis", {}, "ogg: vorbis copy"],
    ["flac", {}, "flac: flac copy"],
    ["pcm", {}, "wav: pcm copy"],
    ["other", {}, "mka: other copy"],
    ["mp3", { audio_only: true, audio_codec: "copy" }, "mp3: mp3 copy"],
    ["mp3", { audio_codec: "opus", audio_bitrate: "320k" }, "opus: opus 320000"],
    ["mp3", { audio_codec: "aac", audio_only: true }, "m4a: aac 192000"],
    ["mp3", { audio_codec: "mp3" }, "mp3: mp3 copy"],
    ["mp3", { audio_codec: "mp3", audio_bitrate: "64k" }, "mp3: mp3 64000"],
    ["mp3", { video_codec: "h264" }, "mp3: mp3 copy"],
    ["mp3", { format: "mp4" }, "mp4: mp3 copy"],
    ["flac", { format: "mov" }, "mov: aac 192000"],
    ["aac", { format: "webm" }, "webm: opus 192000"],
    ["aac", { format: "mkv" }, "mkv: aac copy"],
    ["aac", { format: "mp3" }, "mp3: mp3 192000"],
  ] as const)("of %s with %j becomes %s", ([tone, given, expected]) => {
    expect(plan(sound(tone), given)).toBe(expected);
  });
});

test("a source without audio gives video only", () => {
  expect(plan([media([video("h264")], [])])).toBe("mp4: h264 copy");
});

test("the first of two inputs gives the video and the last the audio", () => {
  const inputs = [media([video("h264")], [audio("mp3")]), media([], [audio("aac", { index: 0 })])];
  const { video: picture, audio: tone } = planOutput(inputs, options());
  expect([picture?.input, tone?.input, tone?.stream.codec]).toEqual([0, 1, "aac"]);
});

test("of several streams the best is chosen, and of equal ones the file's default", () => {
  const chosen = (tones: readonly Partial<AudioStream>[]) => {
    const sounds = tones.map((given, index) => audio("aac", { index, ...given }));
    return planOutput([media([], sounds)], options()).audio?.stream.index;
  };
  expect(chosen([{ bitrateBps: 64_000, isDefault: true }, { bitrateBps: 128_000 }])).toBe(1);
  expect(chosen([{ bitrateBps: 64_000 }, { bitrateBps: 64_000, isDefault: true }])).toBe(1);
  expect(chosen([{ bitrateBps: 64_000 }, { isDefault: true }])).toBe(1);
  expect(chosen([{}, {}])).toBe(0);
  const pictures = [video("h264", { width: 320, height: 180 }), video("h264", { index: 1 })];
  expect(planOutput([media(pictures, [])], options()).video?.stream.index).toBe(1);
});

test("video of unknown frame order is encoded, and cannot be copied on request", () => {
  const inputs = [media([video("h264", { saysOrder: false })], [], { kind: "avi" })];
  expect(plan(inputs)).toBe("mp4: h264 crf 23");
  expect(plan(inputs, { video_codec: "h264" })).toBe("mp4: h264 crf 23");
  expect(plan(inputs, { format: "mkv" })).toBe("mkv: h264 crf 23");
  expect(() => plan(inputs, { video_codec: "copy" })).toThrow(
    expect.objectContaining({ code: "format_not_available" }),
  );
});

test("streams whose parts differ are encoded, and cannot be copied on request", () => {
  const parts = { isUniform: false };
  const inputs = [media([video("h264", parts)], [audio("aac", parts)])];
  expect(plan(inputs)).toBe("mp4: h264 crf 23, aac 192000");
  expect(plan(inputs, { format: "mkv" })).toBe("mkv: h264 crf 23, aac 192000");
  expect(plan(inputs, { audio_only: true, audio_codec: "aac" })).toBe("m4a: aac 192000");
  expect(plan([media([], [audio("mp3", parts)])])).toBe("mp3: mp3 192000");
  expect(() => plan(inputs, { video_codec: "copy" })).toThrow(
    expect.objectContaining({ code: "format_not_available" }),
  );
});

describe("an impossible output", () => {
  test.for([
    [
      "audio only of a source without audio",
      [media([video("h264")], [])],
      { audio_only: true },
      "format_not_available",
    ],
    [
      "mp3 of a source without audio",
      [media([video("h264")], [])],
      { format: "mp3" },
      "format_not_available",
    ],
    [
      "a copy of a codec that mp4 does not support",
      film("vp8", "aac"),
      { video_codec: "copy" },
      "format_not_available",
    ],
    [
      "a copy of a codec that webm does not support",
      film("h264", "aac"),
      { format: "webm", video_codec: "copy" },
      "format_not_available",
    ],
    ["any of a file without streams", [media([], [])], {}, "invalid_media"],
  ] as const)("is %s", ([, inputs, given, code]) => {
    expect(() => planOutput(inputs, options(given))).toThrow(expect.objectContaining({ code }));
  });
});

const orNull = <T>(values: readonly T[]) => fc.constantFrom(null, ...values);
const anyOptions = fc
  .record({
    format: orNull(formats),
    video_codec: orNull(videoCodecs),
    audio_codec: orNull(audioCodecs),
    audio_bitrate: orNull(audioBitrates),
    video_quality: fc.option(fc.integer({ min: 0, max: 51 })),
    quality_preset: orNull(qualityPresets),
    audio_only: fc.boolean(),
  })
  .map(options)
  .filter((given) => impossibleCombination(given) === null);
const anyVideo = fc.constantFrom<VideoCodecName>("h264", "h265", "vp8", "vp9", "av1", "other");
const anyAudio = fc.constantFrom<AudioCodecName>("aac", "mp3", "opus", "vorbis", "flac", "pcm", "other");

test("every plan has a stream, fits its container, and is rejected only for a documented reason", () => {
  fc.assert(
    fc.property(fc.option(anyVideo), fc.option(anyAudio), anyOptions, (picture, tone, given) => {
      const inputs = [media(picture ? [video(picture)] : [], tone ? [audio(tone)] : [])];
      const wantsAudioOnly = given.audio_only || given.format === "mp3";
      try {
        const made = planOutput(inputs, given);
        expect(made.video ?? made.audio).not.toBeNull();
        if (wantsAudioOnly) expect(made.video).toBeNull();
        if (tone) expect(made.audio).not.toBeNull();
        if (picture && !wantsAudioOnly) expect(made.video).not.toBeNull();
        const { container } = made;
        if (made.video) {
          const codec = made.video.handling === "copy" ? made.video.stream.codec : made.video.codec;
          expect(heldVideoCodecs(container)).toContain(codec);
          const asked = given.video_codec ?? "copy";
          if (asked !== "copy") expect(codec).toBe(asked);
          if (asked !== "copy" && given.video_quality !== null) expect(made.video.handling).toBe("encode");
          if (asked === picture && given.video_quality === null) expect(made.video.handling).toBe("copy");
        }
        if (made.audio) {
          const codec = made.audio.handling === "copy" ? made.audio.stream.codec : made.audio.codec;
          expect(heldAudioCodecs(container)).toContain(codec);
          const asked = given.audio_codec ?? "copy";
          if (asked !== "copy") expect(codec).toBe(asked);
          if (asked !== "copy" && given.audio_bitrate !== null) expect(made.audio.handling).toBe("encode");
          if (asked === tone && given.audio_bitrate === null) expect(made.audio.handling).toBe("copy");
        }
      } catch (error) {
        if (!(error instanceof JobFailure)) throw error;
        if (error.code === "invalid_media") expect([picture, tone]).toEqual([null, null]);
        else if (wantsAudioOnly) expect(tone).toBeNull();
        else {
          // An explicit copy is refused only if it is impossible.
          expect(given.video_codec).toBe("copy");
          expect(heldVideoCodecs(given.format ?? "mp4")).not.toContain(picture);
        }
      }
    }),
    { numRuns: 2000 },
  );
});
