import * as fc from "fast-check";
import { expect, it } from "vitest";
import { duration, playingTime, timeAgo } from "../../../dashboard/format/time.ts";

const now = Date.UTC(2026, 10, 21, 12);

it.each([
  [0, "just now"],
  [-5000, "just now"],
  [10_000, "10 s ago"],
  [59_999, "59 s ago"],
  [60_000, "1 min ago"],
  [3_599_999, "59 min ago"],
  [3_600_000, "1 h ago"],
  [86_400_000, "1 d ago"],
  [8 * 86_400_000, "Nov 13"],
  [400 * 86_400_000, "Oct 17, 2025"],
])("the age of %d ms is shown as %s", (age, text) => expect(timeAgo(now - age, now)).toBe(text));

it.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1000, "1.0 s"],
  [59_949, "59.9 s"],
  [59_950, "1 min 0 s"],
  [3_599_400, "59 min 59 s"],
  [3_599_500, "1 h 0 min"],
  [7_260_000, "2 h 1 min"],
])("the duration of %d ms is shown as %s", (ms, text) => expect(duration(ms)).toBe(text));

it.each([
  [6.048, "0:06"],
  [59.6, "1:00"],
  [3599.9, "1:00:00"],
  [7385, "2:03:05"],
])("a playing time of %d s is shown as %s", (seconds, text) => expect(playingTime(seconds)).toBe(text));

it("no unit of a duration is ever full", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (ms) => {
      expect(duration(ms)).not.toMatch(/\b60(?:\.0)? (?:s|min)|\b1000 ms/);
    }),
  );
});
