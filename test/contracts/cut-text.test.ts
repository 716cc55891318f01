import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutText } from "../../contracts/cut-text.ts";

test("a well-formed text is cut to its first characters, and one that is short enough stays", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 20 }), (text, max) => {
      expect(Array.from(cutText(text, max))).toEqual(Array.from(text).slice(0, max));
    }),
  );
});

test("whatever is cut is well-formed", () => {
  const unit = fc.constantFrom("a", "\uD83C", "\uDF0A");
  fc.assert(
    fc.property(fc.string({ unit }), fc.nat({ max: 20 }), (text, max) => {
      const cut = cutText(text, max);
      expect(cut.isWellFormed()).toBe(true);
      expect(Array.from(cut).length).toBeLessThanOrEqual(max);
    }),
  );
});
