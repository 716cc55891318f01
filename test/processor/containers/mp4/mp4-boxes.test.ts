import { copyFile, mkdtemp, rm, truncate, writeFile, appendFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  playsFromStart,
  readHeader,
  startsBox,
  walkBoxes,
} from "../../../../processor/containers/mp4/mp4-boxes.ts";
import { appended } from "../damage.ts";
import { makeMedia, mediaFiles } from "../../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../../origin/test-origin.ts";

let folder: string;
beforeAll(async () => {
  await makeMedia(testMediaFolder);
  folder = await mkdtemp(join(tmpdir(), "ferry-test-boxes-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const walk = async (file: string) => {
  const boxes = await walkBoxes(file);
  const types = boxes.boxes.map(({ type }) => type);
  return { types, whole: boxes.isWhole, cut: boxes.isCut, plays: playsFromStart(boxes) };
};

test("a file with its index in front is playable from the start", async () => {
  const walked = await walk(join(testMediaFolder, mediaFiles.mp4IndexFirst));
  expect(walked).toEqual({ types: ["ftyp", "moov", "free", "mdat"], whole: true, cut: false, plays: true });
});

test("a file with its index at the end is complete but not playable from the start", async () => {
  const walked = await walk(join(testMediaFolder, mediaFiles.mp4));
  expect(walked).toEqual({ types: ["ftyp", "free", "mdat", "moov"], whole: true, cut: false, plays: false });
});

test("a file cut off anywhere but between boxes is incomplete", async () => {
  const cut = join(folder, "cut.mp4");
  for (const bytes of [1, 100_000]) {
    await copyFile(join(testMediaFolder, mediaFiles.mp4IndexFirst), cut);
    await truncate(cut, bytes);
    expect(await walk(cut)).toMatchObject({ whole: false, cut: true, plays: false });
  }
});

test("a file with data after its last box is incomplete, but not cut off", async () => {
  for (const added of [...appended, Buffer.alloc(200_000)]) {
    const longer = join(folder, "longer.mp4");
    await copyFile(join(testMediaFolder, mediaFiles.mp4IndexFirst), longer);
    await appendFile(longer, added);
    expect(await walk(longer)).toMatchObject({ whole: false, cut: false, plays: false });
  }
});

test("a fragmented file with much space after its last box counts as cut off", async () => {
  const fragmented = join(folder, "fragmented.mp4");
  const box = (type: string) => Buffer.from(`\0\0\0\x08${type}`, "latin1");
  const boxes = ["moov", "moof", "mdat"].map(box);
  await writeFile(fragmented, Buffer.concat([...boxes, Buffer.alloc(1000)]));
  expect(await walk(fragmented)).toMatchObject({ whole: false, cut: false });
  await appendFile(fragmented, Buffer.alloc(100_000));
  expect(await walk(fragmented)).toMatchObject({ whole: false, cut: true });
});

test("the beginning of a box is distinguished from anything else", () => {
  const types = fc.constantFrom("mdat", "moov", "moof", "styp", "sidx", "udta", "emsg", "\u00a9xyz");
  const shortest = 3;
  fc.assert(
    fc.property(types, fc.integer({ min: 9, max: 0xffffff }), fc.nat(20), (type, bytes, shown) => {
      const header = Buffer.alloc(24, "x");
      header.writeUInt32BE(bytes);
      header.write(type, 4, "latin1");
      const start = header.subarray(0, Math.max(shown, shortest));
      fc.pre(start.some((byte) => byte !== 0));
      expect(startsBox(start)).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      fc.pre(!text.startsWith("\0") && !/^.{4}(mdat|moov|moof|free|skip|wide|uuid)/s.test(text));
      expect(startsBox(Buffer.from(text))).toBe(false);
    }),
  );
});

test("an empty file, and one that is not mp4, are not playable", async () => {
  const other = join(folder, "other.mp4");
  for (const content of ["", "these bytes are not media; these bytes are not media"]) {
    await writeFile(other, content);
    expect(await walk(other)).toMatchObject({ whole: false, plays: false });
  }
});

test("a box with a 64-bit size, and one that reaches to the end, are followed", () => {
  const long = Buffer.alloc(16);
  long.writeUInt32BE(1);
  long.write("mdat", 4);
  long.writeBigUInt64BE(6_000_000_000n, 8);
  expect(readHeader(long, 7_000_000_000)).toEqual({ type: "mdat", bytes: 6_000_000_000 });
  expect(readHeader(long, 5_000_000_000)).toBeNull();
  const toTheEnd = Buffer.concat([Buffer.alloc(4), Buffer.from("mdat")]);
  expect(readHeader(toTheEnd, 123)).toEqual({ type: "mdat", bytes: 123 });
});

test("no header leads beyond the file or into a loop", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 16 }), fc.integer({ min: 0, max: 2 ** 40 }), (header, left) => {
      const box = readHeader(Buffer.from(header), left);
      if (box === null) return;
      expect(box.bytes).toBeGreaterThanOrEqual(8);
      expect(box.bytes).toBeLessThanOrEqual(left);
    }),
  );
});
