import * as fc from "fast-check";
import { expect, test } from "vitest";
import { failureText } from "../../contracts/failure.ts";

test("a detail is cut to 300 characters, without splitting one", () => {
  const sentence = "Source error: ";
  expect(failureText("source_error", "a".repeat(400))).toBe(sentence + "a".repeat(300));
  expect(failureText("source_error", "\u{1F30A}".repeat(400))).toBe(sentence + "\u{1F30A}".repeat(300));
});

test("any detail gives a well-formed and short text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 700 }), fc.string({ maxLength: 2 }), (words, more) => {
      const text = failureText("internal", `\uD83C${words}${more}`);
      expect(text.isWellFormed()).toBe(true);
      expect(Array.from(text).length).toBeLessThanOrEqual("Internal error: ".length + 300);
    }),
  );
});
