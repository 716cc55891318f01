import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  afterAnswer,
  afterRefusal,
  connectionsFor,
  defaultPatience,
  growingPauseMs,
  nextRiseMs,
  pauseAfter,
  unknownHost,
  type HostStanding,
  type Setbacks,
} from "../../../processor/network/patience.ts";

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("pauses grow, are spread over half of their length, and never exceed the longest", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), chance, (failures, random) => {
      const pause = growingPauseMs(failures, random, defaultPatience);
      const shortest = growingPauseMs(failures, 0, defaultPatience);
      expect(pause).toBeGreaterThanOrEqual(shortest);
      expect(pause).toBeLessThanOrEqual(Math.min(2 * shortest, defaultPatience.longestPauseMs));
      expect(growingPauseMs(failures + 1, 0, defaultPatience)).toBeGreaterThanOrEqual(shortest);
    }),
  );
});

test("a source that is down is asked for two minutes and one pause at most, and no more than thirty times", () => {
  fc.assert(
    fc.property(fc.infiniteStream(chance), fc.nat(1000), (randoms, answerMs) => {
      let nowMs = 0;
      let setbacks: Setbacks | null = null;
      let requests = 0;
      for (const random of randoms) {
        requests += 1;
        nowMs += answerMs;
        const verdict = pauseAfter(
          setbacks,
          { kind: "passing", askedMs: 0 },
          { nowMs, random },
          defaultPatience,
        );
        if (verdict === null) break;
        ({ setbacks } = verdict);
        nowMs += verdict.pauseMs;
      }
      const { withinMs, longestPauseMs } = defaultPatience;
      expect(nowMs).toBeGreaterThanOrEqual(withinMs);
      expect(nowMs).toBeLessThanOrEqual(withinMs + longestPauseMs + 2 * answerMs);
      expect(requests).toBeLessThanOrEqual(30);
    }),
  );
});

test("a pause of up to two minutes that somebody asks for is granted in full, a longer one is not", () => {
  fc.assert(
    fc.property(fc.nat(300_000), chance, (askedMs, random) => {
      const verdict = pauseAfter(null, { kind: "passing", askedMs }, { nowMs: 0, random }, defaultPatience);
      if (askedMs > 120_000) expect(verdict).toBeNull();
      else expect(verdict?.pauseMs).toBeGreaterThanOrEqual(askedMs);
    }),
  );
});

const step = fc.record({
  refused: fc.boolean(),
  working: fc.nat(8),
  askedMs: fc.oneof(fc.constant(0), fc.nat(300_000)),
  passedMs: fc.nat(200_000),
  random: chance,
});

test("whatever a host did, it gets between none and the configured connections, and all of them in the end", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 8 }), (steps, most) => {
      let nowMs = 0;
      let standing: HostStanding = unknownHost;
      for (const { refused, working, askedMs, passedMs, random } of steps) {
        nowMs += passedMs;
        standing = refused
          ? afterRefusal(standing, { working, askedMs, nowMs, random }, defaultPatience)
          : afterAnswer(standing, null);
        const connections = connectionsFor(standing, { most, working, nowMs }, defaultPatience);
        expect(connections).toBeLessThanOrEqual(most);
        // It is never left alone for longer than it may ask for.
        expect(
          connectionsFor(standing, { most, working, nowMs: nowMs + 120_000 }, defaultPatience),
        ).toBeGreaterThanOrEqual(1);
        if (refused && working === 0) expect(connections).toBe(0);
        if (refused && working > 0) expect(connections).toBeLessThanOrEqual(working);
      }
      const late = nowMs + 3_600_000;
      expect(
        connectionsFor(afterAnswer(standing, null), { most, working: 0, nowMs: late }, defaultPatience),
      ).toBe(most);
    }),
  );
});

test("between two times at which it may rise, what a host gets does not rise", () => {
  fc.assert(
    fc.property(
      step,
      fc.nat(200_000),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (one, afterMs, share) => {
        const standing = afterRefusal(unknownHost, { ...one, nowMs: 0 }, defaultPatience);
        const riseMs = nextRiseMs(standing, afterMs, defaultPatience) ?? afterMs + 1_000_000;
        const get = (nowMs: number) =>
          connectionsFor(standing, { most: 8, working: one.working, nowMs }, defaultPatience);
        expect(riseMs).toBeGreaterThan(afterMs);
        expect(get(afterMs + Math.floor((riseMs - afterMs) * share))).toBe(get(afterMs));
      },
    ),
  );
});
