import { describe, expect, it } from "vitest";
import { defaultLimits, titleMaxCharacters, urlMaxCharacters } from "../../contracts/limits.ts";
import { type ShowLine, showLineMaxBytes, showLineSchema, showRequestSchema } from "../../contracts/show.ts";

describe("the reading of a show", () => {
  it("a line has room for the longest title and URL, however they are encoded", () => {
    const line: ShowLine = {
      kind: "episode",
      url: `https://media.example/${"é".repeat(urlMaxCharacters - 22)}`,
      title: "\u0001".repeat(titleMaxCharacters),
    };
    expect(showLineSchema.parse(JSON.parse(JSON.stringify(line)))).toEqual(line);
    expect(new TextEncoder().encode(JSON.stringify(line)).length).toBeLessThan(showLineMaxBytes);
  });

  it("an episode may have no title, but needs a URL", () => {
    const untitled = { kind: "episode", url: "https://media.example/1.mp3", title: null };
    expect(showLineSchema.safeParse(untitled).success).toBe(true);
    expect(showLineSchema.safeParse({ kind: "episode", title: "One" }).success).toBe(false);
  });

  it("checking a URL takes much less time than reading a show may", () => {
    expect(defaultLimits.showLookMs).toBeLessThan(defaultLimits.showExtractionMs / 10);
  });

  it("a request says whether the URL is certainly a show", () => {
    expect(showRequestSchema.safeParse({ url: "https://media.example/feed" }).success).toBe(false);
  });
});
