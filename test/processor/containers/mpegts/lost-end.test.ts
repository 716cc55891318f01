import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasLostEnd } from "../../../../processor/containers/mpegts/lost-end.ts";
import type { TransportEdges } from "../../../../processor/containers/mpegts/transport-scan.ts";

const second = 90_000;
const clock = 2 ** 33;

/** Video and audio between these seconds of a clock, whose packets have these numbers. */
function edges(from: number, to: number, first: number, last: number, isMarked = false): TransportEdges {
  const tick = (seconds: number) => Math.round(seconds * second) % clock;
  const counter = { first: first & 15, last: last & 15 };
  const counters = new Map([
    [256, counter],
    [257, { first: (first + 5) & 15, last: (last + 5) & 15 }],
  ]);
  return { isCut: false, isMarked, hasGaps: false, startTick: tick(from), endTick: tick(to), counters };
}

const first = edges(100, 105.9, 0, 499);
const whole = { edges: edges(106, 111.9, 500, 999), seconds: 6 };
const cut = { edges: edges(106, 109, 500, 757), seconds: 6 };
const next = edges(112, 117.9, 1000, 1500);

test("a segment that ends early, with packets missing, has lost its end", () => {
  expect(hasLostEnd(cut, next, first)).toBe(true);
  expect(hasLostEnd({ ...cut, seconds: 5.4 }, next, first)).toBe(true);
});

test("the clock may wrap around to 0 in between", () => {
  const wrap = clock / second;
  const before = { edges: edges(wrap - 6, wrap - 3, 500, 757), seconds: 6 };
  expect(hasLostEnd(before, edges(wrap, wrap + 5.9, 1000, 1500), first)).toBe(true);
});

describe("a segment has not lost its end if", () => {
  test.for([
    ["it ends where the next one starts", whole, next],
    ["it ends where the next one starts, and packets are numbered anew", whole, edges(112, 117.9, 3, 500)],
    ["nothing was recorded for a while", { ...cut, edges: edges(106, 109, 500, 999) }, next],
    ["the encoder was restarted", cut, edges(112, 117.9, 0, 500)],
    ["the next one declares a discontinuity", cut, edges(112, 117.9, 1000, 1500, true)],
    ["segments were left out of the list", { ...cut, seconds: 3 }, next],
    ["the list says nothing about it", { ...cut, seconds: 10 }, next],
    ["the clock is set back", cut, edges(0, 5.9, 1000, 1500)],
  ] as const)("%s", ([, segment, following]) => {
    expect(hasLostEnd(segment, following, first)).toBe(false);
  });

  test("one of them has no times", () => {
    const silent = { ...next, startTick: null, endTick: null, counters: new Map() };
    expect(hasLostEnd(cut, silent, first)).toBe(false);
    expect(hasLostEnd({ edges: silent, seconds: 6 }, next, first)).toBe(false);
  });
});

test("segments without a gap are complete, whatever their list says", () => {
  const numbers = fc.integer({ min: 0, max: 2 ** 20 });
  fc.assert(
    fc.property(numbers, numbers, fc.double({ min: 0, max: 20, noNaN: true }), (from, number, seconds) => {
      const segment = { edges: edges(from, from + 5.9, number, number + 400), seconds };
      expect(hasLostEnd(segment, edges(from + 6, from + 11, number * 7, number * 9), first)).toBe(false);
    }),
  );
});
