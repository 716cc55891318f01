import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileNameMaxBytes, managedPrefixBytes, storageKeyMaxBytes } from "../../../contracts/limits.ts";
import { episodeNamer } from "../../../edge/shows/episode-names.ts";
import { utf8Bytes } from "../../../edge/storage/file-name.ts";

const namesOf = (titles: readonly (string | null)[], folder = "Weekly") => titles.map(episodeNamer(folder));

describe("the names of a show's files", () => {
  it("are the titles, with equal ones numbered in the feed's order", () => {
    expect(namesOf(["A", "B", "A", "A?", "a"])).toEqual(["A", "B", "A (2)", "A (3)", "a"]);
  });

  it("skip a number that a title already has", () => {
    expect(namesOf(["A", "A (2)", "A", "A (2)"])).toEqual(["A", "A (2)", "A (3)", "A (2) (2)"]);
  });

  it("are left to the media if nothing of the title can be used", () => {
    expect(namesOf([null, "", "???", "..."])).toEqual([null, null, null, null]);
  });

  it("keep their number, however long the title", () => {
    const [first, second] = namesOf(["ü".repeat(500), "ü".repeat(500)]);
    expect(second).toMatch(/^ü+ \(2\)$/);
    expect(utf8Bytes(first ?? "")).toBeLessThanOrEqual(fileNameMaxBytes);
    expect(utf8Bytes(second ?? "")).toBeLessThanOrEqual(fileNameMaxBytes);
  });

  const title = fc.oneof(
    fc.constantFrom("A", "A (2)", "A (3)", "A.", null, ""),
    fc.string({ unit: "binary", maxLength: 300 }),
  );
  const folder = fc.constantFrom("Weekly", "ü".repeat(200), "😀".repeat(200));

  it("all differ, and fit into a key", () => {
    fc.assert(
      fc.property(fc.array(title, { maxLength: 40 }), folder, (titles, of) => {
        const names = namesOf(titles, of).filter((name) => name !== null);
        expect(new Set(names).size).toBe(names.length);
        const prefix = managedPrefixBytes + utf8Bytes(`${of}/.ext55`);
        for (const name of names) {
          expect(name).not.toBe("");
          expect(utf8Bytes(name)).toBeLessThanOrEqual(
            Math.min(fileNameMaxBytes, storageKeyMaxBytes - prefix),
          );
        }
      }),
    );
  });
});
