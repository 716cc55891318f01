import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dueAgainAt } from "../../../edge/jobs/due-again.ts";

const now = 1_000_000;
const rests = (claims: number[]) => claims.map((claim) => dueAgainAt("return", claim, now) - now);

test("what is given back is due at once the first time, then later and later, up to ten seconds", () => {
  expect(rests([1, 2, 3, 4, 5, 6, 7, 1000])).toEqual([0, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test("no claim makes a job wait for less than an earlier one, or for what lost its node", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (claim) => {
      const [rest = 0, longer = 0] = rests([claim, claim + 1]);
      expect(rest).toBeLessThanOrEqual(longer);
      expect(dueAgainAt("lose", claim, now)).toBe(now);
    }),
  );
});
