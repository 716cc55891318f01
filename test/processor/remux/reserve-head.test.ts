import { expect, test } from "vitest";
import { planOutput } from "../../../processor/mux/plan-output.ts";
import { reserveHead } from "../../../processor/remux/reserve-head.ts";
import { audio, media, options, video } from "../mux/sample-media.ts";

const hour = 3600;
const roomOf = (inputs: Parameters<typeof planOutput>[0], seconds = hour) =>
  reserveHead(planOutput(inputs, options()), seconds, 1000)?.headBytes ?? Infinity;
const sound = (codec: "aac" | "opus", rateHz: number | null) => media([], [audio(codec, { rateHz })]);
const silent = media([video("h264")], []);

test("an hour of audio needs room for the length of each frame, and little more", () => {
  const lengths = (48_000 / 1024) * 4 * hour;
  expect(roomOf([sound("aac", 48_000)])).toBeGreaterThan(lengths * 1.1);
  expect(roomOf([sound("aac", 48_000)])).toBeLessThan(lengths * 1.4);
  expect(roomOf([sound("opus", 48_000)])).toBeGreaterThan(100 * 4 * hour);
});

test("audio of an unknown rate, and video, need more", () => {
  expect(roomOf([sound("aac", null)])).toBeGreaterThan(roomOf([sound("aac", 48_000)]));
  expect(roomOf([silent, sound("aac", 48_000)])).toBeGreaterThan(60 * 16 * hour);
});

test("a moment needs room for its description, and a film too long to index needs infinite room", () => {
  expect(roomOf([sound("aac", 48_000)], 1)).toBeGreaterThan(1000 + 48 * 4);
  expect(roomOf([sound("aac", 48_000)], 1)).toBeLessThan(5000);
  expect(roomOf([silent], 24 * hour)).toBe(Infinity);
});
