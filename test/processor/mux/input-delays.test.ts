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

const delaysOf = (...clocks: readonly (readonly [number | null, number | null])[]) =>
  inputDelays(clocks.map(([startSeconds, durationSeconds]) => ({ startSeconds, durationSeconds })));

test("clocks far apart are unrelated", () => {
  expect(delays(0, 95_000)).toEqual([0, 0]);
  expect(delaysOf([0, 60], [12, 60])).toEqual([0, 0]);
  expect(delaysOf([0, 60], [12, null])).toEqual([0, 0]);
  expect(delaysOf([0, null], [12, 48])).toEqual([0, 0]);
});

test("an input that starts much later but ends with the others is delayed", () => {
  expect(delaysOf([0, 60], [12, 48])).toEqual([0, 12]);
  expect(delaysOf([112, 48], [100, 60])).toEqual([12, 0]);
  expect(delaysOf([0, 60], [12, 48.5])).toEqual([0, 12]);
});

test("an input without a clock is not delayed, and delays nothing", () => {
  expect(delays(1.5, null)).toEqual([0, 0]);
  expect(delays(null, 1.5)).toEqual([0, 0]);
  expect(delays(null, null)).toEqual([0, 0]);
});
