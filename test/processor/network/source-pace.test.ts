import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSourcePace, leastPace, SourceTooSlow } from "../../../processor/network/source-pace.ts";

const waits = fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 200 });

test("a source at the required pace is never aborted", () => {
  fc.assert(
    fc.property(waits, (all) => {
      const pace = createSourcePace();
      for (const milliseconds of all) {
        pace.came(Math.ceil((leastPace.bytes * milliseconds) / leastPace.withinMs));
        pace.waited(milliseconds);
      }
    }),
  );
});

test("a source at half the pace is aborted within two periods, however it sends", () => {
  fc.assert(
    fc.property(waits, (all) => {
      const pace = createSourcePace();
      let waitedMs = 0;
      const sendForever = () => {
        for (let turn = 0; ; turn++) {
          const milliseconds = all[turn % all.length] ?? 1;
          waitedMs += milliseconds;
          pace.came(Math.floor((leastPace.bytes * milliseconds) / leastPace.withinMs / 2));
          pace.waited(milliseconds);
        }
      };
      expect(sendForever).toThrow(SourceTooSlow);
      expect(waitedMs).toBeLessThan(2 * leastPace.withinMs);
    }),
    { numRuns: 20 },
  );
});
