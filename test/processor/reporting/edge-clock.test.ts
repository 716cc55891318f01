import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEdgeClock } from "../../../processor/reporting/edge-clock.ts";

test("after one answer the clock is within a second of the edge's, however wrong the machine's is", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: -1e10, max: 1e10 }),
      fc.nat(1e7),
      (edgeMs, aheadMs, laterMs) => {
        let machineMs = edgeMs - aheadMs;
        const clock = createEdgeClock(() => machineMs);
        clock.learn(new Date(edgeMs).toUTCString());
        machineMs += laterMs;
        expect(Math.abs(clock.now() - (edgeMs + laterMs))).toBeLessThanOrEqual(1000);
      },
    ),
  );
});

test("before the first answer, and after one without a date, it is the machine's", () => {
  const clock = createEdgeClock(() => 1000);
  expect(clock.now()).toBe(1000);
  clock.learn(undefined);
  clock.learn("yesterday");
  expect(clock.now()).toBe(1000);
});
