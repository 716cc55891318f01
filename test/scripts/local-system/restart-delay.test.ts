import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { earlyEnds, restartDelayMs } from "../../../scripts/local-system/restart-delay.ts";

describe("a program that has ended", () => {
  test("is restarted soon the first time, and never later than after ten seconds", () => {
    expect(restartDelayMs(1)).toBe(200);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (ends) => {
        expect(restartDelayMs(ends + 1)).toBeGreaterThanOrEqual(restartDelayMs(ends));
        expect(restartDelayMs(ends)).toBeLessThanOrEqual(10_000);
      }),
    );
  });

  test("counts as started for the first time once it has run for half a minute", () => {
    expect(earlyEnds(7, 30_000)).toBe(1);
    expect(earlyEnds(7, 29_999)).toBe(8);
  });
});
