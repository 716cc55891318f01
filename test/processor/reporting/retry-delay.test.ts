import * as fc from "fast-check";
import { expect, test } from "vitest";
import { retryDelayMs } from "../../../processor/reporting/retry-delay.ts";

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("a delay is never under 50 ms and never over two seconds", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), random, (failures, chance) => {
      const delay = retryDelayMs(failures, chance);
      expect(delay).toBeGreaterThanOrEqual(50);
      expect(delay).toBeLessThanOrEqual(2000);
    }),
  );
});

test("with the same randomness, another failure never shortens the delay", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), random, (failures, chance) => {
      expect(retryDelayMs(failures + 1, chance)).toBeGreaterThanOrEqual(retryDelayMs(failures, chance));
    }),
  );
});
