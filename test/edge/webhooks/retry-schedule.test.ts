import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextTryAt, retryAfterMs, triesMax } from "../../../edge/webhooks/retry-schedule.ts";

const now = Date.UTC(2026, 0, 31, 12);
const second = 1000;
const hour = 3600 * second;
const pauses = [5 * second, 300 * second, 1800 * second, 2 * hour, 5 * hour, 10 * hour];

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const tries = fc.integer({ min: 1, max: triesMax - 1 });

describe("the next try", () => {
  it("comes 5 s, 5 min, 30 min, 2 h, 5 h and 10 h after the one before, and the seventh is the last", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((made) => {
      const at = nextTryAt({ tries: made, now, retryAfterMs: null, random: 0 });
      return at === null ? null : at - now;
    });
    expect(waits).toEqual([...pauses, null, null]);
  });

  it("is never early, and at most a tenth late", () => {
    fc.assert(
      fc.property(tries, chance, (made, random) => {
        const pause = pauses[made - 1] ?? 0;
        const wait = (nextTryAt({ tries: made, now, retryAfterMs: null, random }) ?? 0) - now;
        expect(Number.isInteger(wait)).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(pause);
        expect(wait).toBeLessThanOrEqual(pause * 1.1);
      }),
    );
  });

  it("waits as long as the receiver asks, up to a day, and never less than the schedule", () => {
    fc.assert(
      fc.property(tries, chance, fc.nat({ max: 100 * hour }), (made, random, asked) => {
        const wait = (nextTryAt({ tries: made, now, retryAfterMs: asked, random }) ?? 0) - now;
        const scheduled = (nextTryAt({ tries: made, now, retryAfterMs: null, random }) ?? 0) - now;
        expect(wait).toBeGreaterThanOrEqual(scheduled);
        expect(wait).toBeGreaterThanOrEqual(Math.min(asked, 24 * hour));
        expect(wait).toBeLessThanOrEqual(24 * hour * 1.1);
      }),
    );
  });

  it("is not added by a Retry-After after the last", () => {
    expect(nextTryAt({ tries: triesMax, now, retryAfterMs: hour, random: 0.5 })).toBeNull();
  });
});

describe("a Retry-After header", () => {
  it.each([
    ["120", 120_000],
    ["0", 0],
    ["Sat, 31 Jan 2026 12:01:00 GMT", 60_000],
    ["Sat, 31 Jan 2026 11:00:00 GMT", 0],
    ["soon", null],
    ["-5", 0],
    ["", null],
  ])("%j asks for %j ms", (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });

  it("asks for nothing if missing", () => {
    expect(retryAfterMs(null, now)).toBeNull();
  });

  it("never gives a time that cannot be stored", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.nat().map(String), fc.bigInt().map(String)),
        tries,
        (header, made) => {
          const at = nextTryAt({ tries: made, now, retryAfterMs: retryAfterMs(header, now), random: 0.5 });
          expect(Number.isSafeInteger(at)).toBe(true);
        },
      ),
    );
  });
});
