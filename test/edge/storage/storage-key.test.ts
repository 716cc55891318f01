import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { managedPrefixBytes } from "../../../contracts/limits.ts";
import { objectKeyOf, prefixBytesOf } from "../../../edge/storage/object-key.ts";
import { keysOfFile } from "../../../edge/storage/reserved-names.ts";
import { type StorageKeySource, storageKeyCandidate } from "../../../edge/storage/storage-key.ts";

const jobId = "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f";
const source: StorageKeySource = {
  folder: null,
  filename: null,
  title: null,
  jobId,
  extension: "mp4",
  sidecarSuffixes: [],
  prefixBytes: managedPrefixBytes,
};
const bytes = (text: string) => new TextEncoder().encode(text).length;
const named = (filename: string, extension = "mp4") =>
  storageKeyCandidate({ ...source, filename, extension }, 1);

describe("storageKeyCandidate", () => {
  it.each([
    ["My film", "My film.mp4"],
    ["  a   b  ", "a b.mp4"],
    ['a/b\\c:d*e?f"g<h>i|j', "abcdefghij.mp4"],
    ["a / b", "a b.mp4"],
    ["..hidden..", "hidden.mp4"],
    ["Tom & Jerry's [best] (2024) +1, a_b-c @home!", "Tom & Jerry's [best] (2024) +1, a_b-c @home!.mp4"],
    ["film.mp4", "film.mp4"],
    ["film.MP4", "film.mp4"],
    ["film .mp4", "film.mp4"],
    ["film.mkv", "film.mkv.mp4"],
    ["Cafe\u0301", "Caf\u00e9.mp4"],
    ["e\u200d\u0301", "\u00e9.mp4"],
    ["日本語 \u3000 テスト", "日本語 テスト.mp4"],
    ["line\nbreak\ttab\u0000", "linebreaktab.mp4"],
    ["smile 😀 here", "smile here.mp4"],
    ["half \ud83d pair", "half pair.mp4"],
  ])("names a file after %j", (filename, key) => {
    expect(named(filename)).toBe(key);
  });

  it("falls back to the title, then to the job's id", () => {
    expect(storageKeyCandidate({ ...source, filename: " . ", title: "A: title" }, 1)).toBe("A title.mp4");
    expect(storageKeyCandidate({ ...source, filename: "???", title: "***" }, 1)).toBe(`${jobId}.mp4`);
    expect(storageKeyCandidate(source, 1)).toBe(`${jobId}.mp4`);
  });

  it("puts the folder before the name and the number before the extension", () => {
    const inFolder = { ...source, folder: "shows/one", filename: "a", extension: "m4a" };
    expect(storageKeyCandidate(inFolder, 1)).toBe("shows/one/a.m4a");
    expect(storageKeyCandidate(inFolder, 2)).toBe("shows/one/a (2).m4a");
    expect(storageKeyCandidate(inFolder, 13)).toBe("shows/one/a (13).m4a");
  });

  it("cuts a long name at a character, and further to fit its number", () => {
    expect(named("ü".repeat(200))).toBe(`${"ü".repeat(90)}.mp4`);
    expect(named(`a${"ü".repeat(200)}`)).toBe(`a${"ü".repeat(89)}.mp4`);
    const long = { ...source, filename: "x".repeat(500) };
    expect(storageKeyCandidate(long, 2)).toBe(`${"x".repeat(176)} (2).mp4`);
    expect(named(`${"x".repeat(179)} yz`)).toBe(`${"x".repeat(179)}.mp4`);
  });

  it("cuts the name so that the whole key fits if the folder is long", () => {
    const key = storageKeyCandidate({ ...source, folder: "😀".repeat(200), filename: "x".repeat(300) }, 1);
    expect(bytes(key) + managedPrefixBytes).toBe(1024);
    expect(key.endsWith("x.mp4")).toBe(true);
  });

  it("handles a name of a megabyte of dots quickly", () => {
    expect(named(`a${".".repeat(1_000_000)}b`)).toBe("a.mp4");
  });

  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.string({
      unit: fc.constantFrom(".", " ", "a", "é", "e", "\u0301", "\u200d", "/", "\\", "日", "😀", "(", ".mp4"),
    }),
  );
  const anySource = fc.record<StorageKeySource>({
    folder: fc.option(fc.string({ unit: fc.constantFrom("a", "é", "😀"), minLength: 1, maxLength: 200 })),
    filename: fc.option(anyText),
    title: fc.option(anyText),
    jobId: fc.uuid({ version: 7 }),
    extension: fc.constantFrom(
      "mp4",
      "mkv",
      "webm",
      "mov",
      "mp3",
      "m4a",
      "mka",
      "opus",
      "ogg",
      "flac",
      "wav",
    ),
    sidecarSuffixes: fc.subarray(["jpg", "en.vtt", `${"x".repeat(35)}.vtt`]),
    prefixBytes: fc.constantFrom(0, managedPrefixBytes),
  });

  it("follows every limit and character rule, for any input", () => {
    fc.assert(
      fc.property(anySource, fc.integer({ min: 1, max: 100_000 }), (given, n) => {
        const key = storageKeyCandidate(given, n);
        for (const each of keysOfFile(key, given.sidecarSuffixes))
          expect(bytes(each) + given.prefixBytes).toBeLessThanOrEqual(1024);
        const prefix = given.folder === null ? "" : `${given.folder}/`;
        expect(key.startsWith(prefix)).toBe(true);
        const file = key.slice(prefix.length);
        expect(file.endsWith(`.${given.extension}`)).toBe(true);
        const name = file.slice(0, -given.extension.length - 1);
        expect(bytes(name)).toBeLessThanOrEqual(180);
        expect(name).toMatch(/^[\p{L}\p{M}\p{Nd} \-_.()[\],'&+@!]+$/u);
        expect(name).toBe(name.normalize("NFC"));
        expect(name).not.toMatch(/ {2}|^[. ]|[. ]$/u);
      }),
    );
  });

  it("gives each number its own key", () => {
    fc.assert(
      fc.property(
        anySource,
        fc.integer({ min: 1, max: 999 }),
        fc.integer({ min: 1, max: 999 }),
        (given, a, b) => {
          expect(storageKeyCandidate(given, a) === storageKeyCandidate(given, b)).toBe(a === b);
        },
      ),
    );
  });
});

describe("objectKeyOf", () => {
  const owner = { accountId: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e60", jobId };

  it.each([true, false])(
    "puts exactly the reserved prefix before the storage key (managed: %s)",
    (isManaged) => {
      expect(bytes(objectKeyOf({ isManaged }, owner, ""))).toBe(prefixBytesOf({ isManaged }));
    },
  );

  it("separates accounts and jobs in the managed bucket only", () => {
    const key = (isManaged: boolean) => objectKeyOf({ isManaged }, owner, "f/a.mp4");
    expect(key(true)).toBe(`${owner.accountId}/${jobId}/f/a.mp4`);
    expect(key(false)).toBe("f/a.mp4");
  });
});
