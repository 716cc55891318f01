import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSeenIds } from "../../../processor/shows/seen-ids.ts";

test("an id is new once, however many there are", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3000, size: "max" }), (ids) => {
      const seen = createSeenIds();
      const known = new Set<string>();
      for (const id of ids) {
        expect(seen.isNew(id)).toBe(!known.has(id));
        known.add(id);
      }
    }),
    { numRuns: 50 },
  );
});
