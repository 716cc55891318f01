import { expect, test } from "vitest";
import type { EncodingOptions } from "../../../contracts/encoding-options.ts";
import { expectedSeconds } from "../../../processor/mux/expected-duration.ts";
import type { ProbedMedia } from "../../../processor/mux/media.ts";
import { passesThrough } from "../../../processor/mux/passes-through.ts";
import { planOutput } from "../../../processor/mux/plan-output.ts";
import { durationProblem } from "../../../processor/mux/verify-output.ts";
import { audio, media, options, video } from "./sample-media.ts";

const boxes = (...types: string[]) => ({ boxes: types.map((type) => ({ type, bytes: 8 })), isWhole: true });
const front = boxes("ftyp", "moov", "mdat");
const passes = (
  inputs: readonly ProbedMedia[],
  given: Partial<EncodingOptions>,
  walked: typeof front | null,
) => passesThrough(inputs, planOutput(inputs, options(given)), walked);

const film = media([video("h264")], [audio("aac")]);
const episode = media([], [audio("mp3")], { kind: "mp3" });

test("a file that already is the planned one passes", () => {
  expect(passes([film], {}, front)).toBe(true);
  expect(passes([episode], {}, null)).toBe(true);
  expect(passes([{ ...film, kind: "mov" }], { format: "mov" }, front)).toBe(true);
  expect(passes([media([], [audio("aac")])], {}, front)).toBe(true);
});

test("an index at the end, pieces, and a file that is not whole do not pass", () => {
  expect(passes([film], {}, boxes("ftyp", "mdat", "moov"))).toBe(false);
  expect(passes([film], {}, boxes("ftyp", "moov", "moof", "mdat"))).toBe(false);
  expect(passes([film], {}, { ...front, isWhole: false })).toBe(false);
});

test("another container, a re-encode, and streams too many do not pass", () => {
  expect(passes([{ ...film, kind: "mov" }], {}, front)).toBe(false);
  expect(passes([{ ...film, kind: "webm" }], { format: "mkv" }, null)).toBe(false);
  expect(passes([film], { video_codec: "h264" }, front)).toBe(false);
  expect(passes([film], { audio_only: true }, front)).toBe(false);
  expect(passes([media([video("h264")], [audio("aac"), audio("aac", { index: 2 })])], {}, front)).toBe(false);
  expect(passes([media([video("h264")], []), media([], [audio("aac")])], {}, front)).toBe(false);
});

test("the file has to play as long as the longest of its streams and as the source says", () => {
  const inputs = [
    media([video("h264", { durationSeconds: 60 })], []),
    media([], [audio("aac", { durationSeconds: 58 })]),
  ];
  const plan = planOutput(inputs, options());
  expect(expectedSeconds(inputs, plan, null)).toBe(60);
  expect(expectedSeconds(inputs, plan, 120)).toBe(120);
  expect(expectedSeconds(inputs, planOutput(inputs, options({ audio_only: true })), null)).toBe(58);
});

test("a duration that is a guess from the bitrate is no measure", () => {
  const plan = planOutput([episode], options());
  expect(expectedSeconds([episode], plan, null)).toBeNull();
  expect(expectedSeconds([episode], plan, 100)).toBe(100);
});

test("a duration may be off by one percent or one second, whichever is more", () => {
  expect(durationProblem(9.1, 10)).toBeNull();
  expect(durationProblem(8.9, 10)).toBe("the media is truncated");
  expect(durationProblem(991, 1000)).toBeNull();
  expect(durationProblem(989, 1000)).toBe("the media is truncated");
  expect(durationProblem(1011, 1000)).toBe("the media is longer than its source");
  expect(durationProblem(5, null)).toBeNull();
});
