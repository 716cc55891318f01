import { expect, test } from "vitest";
import { inputDelays } from "../../../processor/mux/input-delays.ts";
import { media } from "./sample-media.ts";

const delays = (...starts: (number | null)[]) =>
  inputDelays(starts.map((startSeconds) => media([], [], { startSeconds })));

test("an input that starts later on the same clock is delayed by the difference", () => {
  expect(delays(1.5, 3.5)).toEqual([0, 2]);
  expect(delays(3.5, 1.5)).toEqual([2, 0]);
  expect(delays(0.25)).toEqual([0]);
});

test("clocks far apart are unrelated", () => {
  expect(delays(0, 95_000)).toEqual([0, 0]);
});

test("an input without a clock is not delayed, and delays nothing", () => {
  expect(delays(1.5, null)).toEqual([0, 0]);
  expect(delays(null, 1.5)).toEqual([0, 0]);
  expect(delays(null, null)).toEqual([0, 0]);
});
