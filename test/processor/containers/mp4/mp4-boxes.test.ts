import { copyFile, mkdtemp, rm, truncate, writeFile, appendFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { playsFromStart, readHeader, walkBoxes } from "../../../../processor/containers/mp4/mp4-boxes.ts";
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
  return { types: boxes.boxes.map(({ type }) => type), whole: boxes.isWhole, plays: playsFromStart(boxes) };
};

test("a file with its index in front is playable from the start", async () => {
  const walked = await walk(join(testMediaFolder, mediaFiles.mp4IndexFirst));
  expect(walked).toEqual({ types: ["ftyp", "moov", "free", "mdat"], whole: true, plays: true });
});

test("a file with its index at the end is complete but not playable from the start", async () => {
  const walked = await walk(join(testMediaFolder, mediaFiles.mp4));
  expect(walked).toEqual({ types: ["ftyp", "free", "mdat", "moov"], whole: true, plays: false });
});

test("a file cut off anywhere but between boxes is incomplete", async () => {
  const cut = join(folder, "cut.mp4");
  for (const bytes of [1, 100_000]) {
    await copyFile(join(testMediaFolder, mediaFiles.mp4IndexFirst), cut);
    await truncate(cut, bytes);
    expect(await walk(cut)).toMatchObject({ whole: false, plays: false });
  }
});

test("a file with data after its last box is not complete", async () => {
  const longer = join(folder, "longer.mp4");
  await copyFile(join(testMediaFolder, mediaFiles.mp4IndexFirst), longer);
  await appendFile(longer, "tail");
  expect(await walk(longer)).toMatchObject({ whole: false, plays: false });
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
