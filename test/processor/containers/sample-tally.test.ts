import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSampleTally } from "../../../processor/containers/sample-tally.ts";

/** The verdict on a track of right samples with broken ones at these places. */
function verdictWith(samples: number, broken: readonly number[]) {
  const tally = createSampleTally<string>();
  for (let at = 0; at < samples; at += 1) tally.add("video", broken.includes(at) ? "broken" : "right");
  return tally.verdict();
}

test.for([
  ["none is broken", 1000, [], "right"],
  ["one of a thousand is", 1000, [500], "unsure"],
  ["one of a hundred is", 100, [50], "damaged"],
  ["two of two thousand are, in different places", 2000, [500, 900], "unsure"],
  ["two in a row are", 2000, [500, 501], "damaged"],
  ["every one is", 3, [0, 1, 2], "unsure"],
] as const)("if %s", ([, samples, broken, verdict]) => {
  expect(verdictWith(samples, broken)).toBe(verdict);
});

test("a file with a broken sample is never right without a decoder", () => {
  const places = fc.uniqueArray(fc.nat(1999), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(places, (broken) => {
      const isFaulty = broken.length <= 3 && broken.every((at) => !broken.includes(at + 1));
      expect(verdictWith(2000, broken)).toBe(isFaulty ? "unsure" : "damaged");
    }),
    { numRuns: 30 },
  );
});
