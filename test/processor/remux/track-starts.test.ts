import * as fc from "fast-check";
import { expect, test } from "vitest";
import { startsOf } from "../../../processor/remux/track-starts.ts";

const track = (given: {
  startTick?: number;
  shownTick?: number;
  ticksPerSecond?: number;
  delaySeconds?: number;
  editTick?: number;
  shownTicks?: number;
}) => {
  const {
    startTick = 0,
    shownTick = startTick,
    ticksPerSecond = 1000,
    delaySeconds = 0,
    editTick = 0,
    shownTicks = 60_000,
  } = given;
  const edit = { delaySeconds, startTick: editTick };
  return { startTick, shownTick, shownEndTick: shownTick + shownTicks, track: { ticksPerSecond, edit } };
};

test.for([
  [
    "video shown later than decoded starts with the first frame shown",
    [[track({ shownTick: 80, editTick: 80 })]],
    [[0, 80]],
  ],
  ["audio whose first samples prime the decoder leaves them out", [[track({ editTick: 1024 })]], [[0, 1024]]],
  [
    "a track that starts later is delayed",
    [[track({})], [track({ startTick: 500 })]],
    [
      [0, 0],
      [0.5, 0],
    ],
  ],
  [
    "a clock that does not start at 0 is shifted",
    [[track({ startTick: 90_000 })], [track({ startTick: 90_250 })]],
    [
      [0, 0],
      [0.25, 0],
    ],
  ],
  [
    "a delay listed by the source is kept",
    [[track({ delaySeconds: 0.2 })], [track({})]],
    [
      [0.2, 0],
      [0, 0],
    ],
  ],
  [
    "the clocks of separate files that are far apart are unrelated",
    [[track({})], [track({ startTick: 20_000 })]],
    [
      [0, 0],
      [0, 0],
    ],
  ],
  [
    "unless the later file ends with the other one",
    [[track({})], [track({ startTick: 12_000, shownTicks: 48_000 })]],
    [
      [0, 0],
      [12, 0],
    ],
  ],
  [
    "the tracks of one file share a clock, however far apart they are",
    [[track({}), track({ startTick: 12_000 })]],
    [
      [0, 0],
      [12, 0],
    ],
  ],
  [
    "a file's tracks stay together when its clock is unrelated to another file's",
    [[track({ startTick: 90_000 }), track({ startTick: 104_000 })], [track({})]],
    [
      [0, 0],
      [14, 0],
      [0, 0],
    ],
  ],
] as const)("%s", ([, files, starts]) => {
  const found = startsOf(files).flat();
  expect(found.map(({ delaySeconds, startTick }) => [delaySeconds, startTick])).toEqual(starts);
});

test("one track of a file starts at once, and all keep their distance", () => {
  const anyTrack = fc.record({
    startTick: fc.nat(50_000),
    shownTick: fc.nat(100),
    ticksPerSecond: fc.constant(1000),
  });
  fc.assert(
    fc.property(fc.array(anyTrack, { minLength: 1, maxLength: 4 }), (given) => {
      const tracks = given.map((one) => track({ ...one, shownTick: one.startTick + one.shownTick }));
      const starts = startsOf([tracks]).flat();
      expect(Math.min(...starts.map(({ delaySeconds }) => delaySeconds))).toBe(0);
      const apart = (times: number[]) => times.map((time) => time - (times[0] ?? 0));
      const shown = apart(tracks.map(({ shownTick }) => shownTick / 1000));
      for (const [index, time] of apart(starts.map(({ delaySeconds }) => delaySeconds)).entries())
        expect(time).toBeCloseTo(shown[index] ?? NaN, 6);
    }),
  );
});
