import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sidecarSuffixSchema } from "../../../contracts/sidecar-key.ts";
import { languageTag, preferredLanguage } from "../../../processor/sidecars/language-tag.ts";
import { subtitleSuffix } from "../../../processor/sidecars/plan-sidecars.ts";

test("a name of megabytes is read only as far as names reach", () => {
  expect(languageTag(`en${"-".repeat(2_000_000)}GB`)).toBe("en");
});

test.each([
  ["eng", "en"],
  ["ger", "de"],
  ["pt_BR", "pt-BR"],
  ["zh-hans", "zh-Hans"],
  ["English (auto)", "Englishauto"],
  ["../../etc", "etc"],
  ["", "und"],
  [null, "und"],
  ["日本語", "und"],
])("%j is %j", (name, tag) => {
  expect(languageTag(name)).toBe(tag);
});

test("the tag of any language can be part of a key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 80 }), (name) => {
      expect(sidecarSuffixSchema.safeParse(subtitleSuffix(languageTag(name))).success).toBe(true);
    }),
  );
});

test.each([
  [["en", "fr", "de"], "de", "de"],
  [["en", "de-AT"], "de", "de-AT"],
  [["fr", "en-GB"], "de", "en-GB"],
  [["fr", "it"], "de", "fr"],
  [["fr", "en"], null, "en"],
  [[], "de", null],
])("of %j for an original in %j the first is %j", (languages, original, preferred) => {
  expect(preferredLanguage(languages, original)).toBe(preferred);
});
