import { expect, test } from "vitest";
import { createWholeUrl } from "../../../processor/source/whole-url.ts";

const base = `https://media.example/${"b".repeat(2000)}/list`;

test("a reference is resolved relative to its base, or is absolute", () => {
  const wholeUrl = createWholeUrl();
  expect(wholeUrl("1.m4s", "https://media.example/show/list")).toBe("https://media.example/show/1.m4s");
  expect(wholeUrl("https://other.example/1.m4s", null)).toBe("https://other.example/1.m4s");
  expect(wholeUrl("1.m4s", null)).toBeNull();
  expect(wholeUrl("https://[", base)).toBeNull();
  expect(wholeUrl("a".repeat(40_000), base)).toBeNull();
});

test("the references of six hours fit, but not as many as in a hostile list", () => {
  const wholeUrl = createWholeUrl();
  const urls = Array.from({ length: 100_000 }, (_, index) => wholeUrl(String(index), base));
  expect(urls.findIndex((url) => url === null)).toBeGreaterThan(10_800);
  expect(urls.at(-1)).toBeNull();
});
