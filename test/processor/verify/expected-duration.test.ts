import { expect, test } from "vitest";
import { durationProblem, expectedDuration } from "../../../processor/verify/expected-duration.ts";
import { planOutput } from "../../../processor/mux/plan-output.ts";
import { audio, media, options, video } from "../mux/sample-media.ts";

test("the file has to play as long as its longest stream, and as the source declares", () => {
  const inputs = [
    media([video("h264", { durationSeconds: 60 })], [], { durationSeconds: 60 }),
    media([], [audio("aac", { durationSeconds: 58 })], { durationSeconds: 59 }),
  ];
  const plan = planOutput(inputs, options());
  const audioOnlyPlan = planOutput(inputs, options({ audio_only: true }));
  expect(expectedDuration(inputs, plan, null)).toEqual({ least: 60, most: 60 });
  expect(expectedDuration(inputs, plan, 120)).toEqual({ least: 120, most: 120 });
  expect(expectedDuration(inputs, audioOnlyPlan, null)).toEqual({ least: 58, most: 59 });
});

test("a duration estimated from the bitrate or the clock does not count", () => {
  for (const kind of ["mp3", "aac", "mpegts"] as const) {
    const inputs = [media([], [audio("mp3")], { kind })];
    const plan = planOutput(inputs, options());
    expect(expectedDuration(inputs, plan, null)).toEqual({ least: null, most: null });
    expect(expectedDuration(inputs, plan, 100)).toEqual({ least: 100, most: 100 });
  }
});

test("a source may be wrong about files that say themselves where they end, but not about what is missing", () => {
  const problem = (sourceSeconds: number, fileSeconds: number, statesEnds = true) => {
    const inputs = [
      media([], [audio("aac", { durationSeconds: fileSeconds })], { durationSeconds: fileSeconds }),
    ];
    const range = expectedDuration(inputs, planOutput(inputs, options()), sourceSeconds, statesEnds);
    return durationProblem(fileSeconds, range);
  };
  expect(problem(46 * 60, 45 * 60 + 20)).toBeNull();
  expect(problem(46 * 60, 45 * 60 + 20, false)).toBe("the media is truncated");
  expect(problem(10 * 60, 9 * 60 + 3)).toBeNull();
  expect(problem(10 * 60 - 1, 9 * 60 + 3)).toBe("the media is truncated");
  expect(problem(100, 96)).toBeNull();
  expect(problem(46 * 60, 40 * 60)).toBe("the media is truncated");
  expect(problem(60, 30)).toBe("the media is truncated");
  expect(problem(90, 30)).toBe("the media is truncated");
});

test("a duration may be off by one percent or one second, whichever is more", () => {
  const ten = { least: 10, most: 10 };
  const thousand = { least: 1000, most: 1000 };
  expect(durationProblem(9.1, ten)).toBeNull();
  expect(durationProblem(8.9, ten)).toBe("the media is truncated");
  expect(durationProblem(991, thousand)).toBeNull();
  expect(durationProblem(989, thousand)).toBe("the media is truncated");
  expect(durationProblem(1009, thousand)).toBeNull();
  expect(durationProblem(1011, thousand)).toBe("the media is longer than its source");
  expect(durationProblem(5, { least: null, most: null })).toBeNull();
  expect(durationProblem(null, ten)).toBeNull();
});
