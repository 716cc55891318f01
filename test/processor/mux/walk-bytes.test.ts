import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createWalker, type ByteWalk } from "../../../processor/mux/walk-bytes.ts";

/** Takes the wishes in turn, and gives what came for each that was to be seen. */
function* walkWishes(wishes: readonly number[]): ByteWalk<string[]> {
  const seen: string[] = [];
  for (const wish of wishes) {
    const bytes = yield wish;
    if (wish > 0) seen.push(bytes.toString("hex"));
  }
  return seen;
}

test("however a stream is cut into pieces, a walk sees the same, and less only at its end", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 10 });
  const wishes = fc.array(fc.integer({ min: -30, max: 12 }));
  fc.assert(
    fc.property(pieces, wishes, (given, wanted) => {
      const walker = createWalker(walkWishes(wanted));
      for (const piece of given) {
        const chunk = Buffer.from(piece);
        walker.take(chunk);
        // A reader may use its buffer again.
        chunk.fill(0xee);
      }
      const whole = Buffer.concat(given);
      let at = 0;
      const expected: string[] = [];
      for (const wish of wanted) {
        if (wish > 0) expected.push(whole.subarray(at, at + wish).toString("hex"));
        at = Math.min(whole.length, at + Math.abs(wish));
      }
      expect(walker.end()).toEqual(expected);
    }),
  );
});
