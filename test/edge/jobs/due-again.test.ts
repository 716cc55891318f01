import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dueAgainAt } from "../../../edge/jobs/due-again.ts";

const now = 1_000_000;
const delays = (claims: number[]) => claims.map((claim) => dueAgainAt("return", claim, now) - now);

test("a returned job is due at once the first time, then with growing delays of up to ten seconds", () => {
  expect(delays([1, 2, 3, 4, 5, 6, 7, 1000])).toEqual([0, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test("no claim delays a job less than an earlier one, and a lost node causes no delay", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (claim) => {
      const [delay = 0, longer = 0] = delays([claim, claim + 1]);
      expect(delay).toBeLessThanOrEqual(longer);
      expect(dueAgainAt("lose", claim, now)).toBe(now);
    }),
  );
});
