import { describe, expect, it } from "vitest";
import { defaultLimits, titleMaxCharacters, urlMaxCharacters } from "../../contracts/limits.ts";
import { type ShowLine, showLineMaxBytes, showLineSchema, showRequestSchema } from "../../contracts/show.ts";

describe("the reading of a show", () => {
  it("has room in a line for the longest title and address, however they are written", () => {
    const line: ShowLine = {
      kind: "episode",
      url: `https://media.example/${"é".repeat(urlMaxCharacters - 22)}`,
      title: "\u0001".repeat(titleMaxCharacters),
    };
    expect(showLineSchema.parse(JSON.parse(JSON.stringify(line)))).toEqual(line);
    expect(new TextEncoder().encode(JSON.stringify(line)).length).toBeLessThan(showLineMaxBytes);
  });

  it("takes an episode without a title, and none without an address", () => {
    const untitled = { kind: "episode", url: "https://media.example/1.mp3", title: null };
    expect(showLineSchema.safeParse(untitled).success).toBe(true);
    expect(showLineSchema.safeParse({ kind: "episode", title: "One" }).success).toBe(false);
  });

  it("leaves an address that is no show to its job long before a show's reading ends", () => {
    expect(defaultLimits.showLookMs).toBeLessThan(defaultLimits.showExtractionMs / 10);
  });

  it("asks with the certainty that the address gives", () => {
    expect(showRequestSchema.safeParse({ url: "https://media.example/feed" }).success).toBe(false);
  });
});
