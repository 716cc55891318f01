import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutText } from "../../contracts/cut-text.ts";

test("a text is cut to its first characters, and a short one is unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 20 }), (text, max) => {
      expect(Array.from(cutText(text, max))).toEqual(Array.from(text).slice(0, max));
    }),
  );
});

test("any text is well-formed after cutting", () => {
  const unit = fc.constantFrom("a", "\uD83C", "\uDF0A");
  fc.assert(
    fc.property(fc.string({ unit }), fc.nat({ max: 20 }), (text, max) => {
      const cut = cutText(text, max);
      expect(cut.isWellFormed()).toBe(true);
      expect(Array.from(cut).length).toBeLessThanOrEqual(max);
    }),
  );
});
