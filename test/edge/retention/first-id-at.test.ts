import * as fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import { firstIdAt } from "../../../edge/retention/first-id-at.ts";

test("ids made at a time sort from its first id on, and before the first id of the next millisecond", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), (msecs) => {
      const id = uuidv7({ msecs });
      expect(firstIdAt(msecs) <= id && id < firstIdAt(msecs + 1)).toBe(true);
      expect(firstIdAt(msecs)).toHaveLength(id.length);
    }),
  );
});

test("there are no ids before the epoch", () => {
  expect(firstIdAt(-1)).toBe(firstIdAt(0));
});
