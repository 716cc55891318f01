import { expect, test } from "vitest";
import type { EncodingOptions } from "../../../contracts/encoding-options.ts";
import type { ProbedMedia } from "../../../processor/mux/media.ts";
import { passesThrough } from "../../../processor/mux/passes-through.ts";
import { planOutput } from "../../../processor/mux/plan-output.ts";
import { audio, media, options, video } from "./sample-media.ts";

const boxes = (...types: string[]) => ({
  boxes: types.map((type) => ({ type, bytes: 8 })),
  isWhole: true,
  isCut: false,
});
const front = boxes("ftyp", "moov", "mdat");
const passes = (
  inputs: readonly ProbedMedia[],
  given: Partial<EncodingOptions>,
  walked: typeof front | null,
) => passesThrough(inputs, planOutput(inputs, options(given)), walked);

const film = media([video("h264")], [audio("aac")]);
const episode = media([], [audio("mp3")], { kind: "mp3" });

test("a file that already matches the plan passes", () => {
  expect(passes([film], {}, front)).toBe(true);
  expect(passes([episode], {}, null)).toBe(true);
  expect(passes([{ ...film, kind: "mov" }], { format: "mov" }, front)).toBe(true);
  expect(passes([media([], [audio("aac")])], {}, front)).toBe(true);
});

test("a file with its index at the end, with fragments, or incomplete does not pass", () => {
  expect(passes([film], {}, boxes("ftyp", "mdat", "moov"))).toBe(false);
  expect(passes([film], {}, boxes("ftyp", "moov", "moof", "mdat"))).toBe(false);
  expect(passes([film], {}, { ...front, isWhole: false })).toBe(false);
});

test("a file with other kinds of streams does not pass, except for an audio file's cover", () => {
  expect(passes([{ ...film, hasOtherStreams: true }], {}, front)).toBe(false);
  expect(passes([{ ...film, hasCover: true }], {}, front)).toBe(false);
  expect(passes([{ ...episode, hasCover: true }], {}, null)).toBe(true);
});

test("a film that already has the requested codecs passes", () => {
  expect(passes([film], { video_codec: "h264", audio_codec: "aac" }, front)).toBe(true);
});

test("another container, a re-encode, and extra streams do not pass", () => {
  expect(passes([{ ...film, kind: "mov" }], {}, front)).toBe(false);
  expect(passes([{ ...film, kind: "webm" }], { format: "mkv" }, null)).toBe(false);
  expect(passes([film], { video_codec: "h264", video_quality: 20 }, front)).toBe(false);
  expect(passes([film], { audio_only: true }, front)).toBe(false);
  expect(passes([media([video("h264")], [audio("aac"), audio("aac", { index: 2 })])], {}, front)).toBe(false);
  expect(passes([media([video("h264")], []), media([], [audio("aac")])], {}, front)).toBe(false);
});
