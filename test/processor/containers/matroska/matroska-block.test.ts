import { expect, test } from "vitest";
import { walkBlock } from "../../../../processor/containers/matroska/matroska-block.ts";
import type { MatroskaTrack } from "../../../../processor/containers/matroska/matroska-head.ts";
import { createSampleTally } from "../../../../processor/containers/sample-tally.ts";
import { createWalker } from "../../../../processor/containers/walk-bytes.ts";

const track: MatroskaTrack = { check: { kind: "opus" } };
const tracks = new Map([[1, track]]);
/** An opus packet of this many bytes. */
const sample = (bytes: number) => Buffer.from([0x48, ...Array.from({ length: bytes - 1 }, () => 7)]);
const head = (flags: number) => Buffer.from([0x81, 0x00, 0x20, flags]);

/** The number of valid samples in the block, and the verdict. */
function walk(block: Buffer, streamBytes = block.length) {
  let right = 0;
  const tally = createSampleTally<MatroskaTrack>();
  const counting = {
    ...tally,
    add: (_: MatroskaTrack, look: string) => void (right += Number(look === "right")),
  };
  const walker = createWalker(walkBlock(block.length, tracks, counting));
  walker.take(block.subarray(0, streamBytes));
  return { found: walker.end(), right };
}

test.for([
  ["none", 1, [head(0x80), sample(300)]],
  ["one byte after the other", 3, [head(2), [2, 255, 45, 20], sample(300), sample(20), sample(50)]],
  ["all of the same length", 3, [head(4), [2], sample(40), sample(40), sample(40)]],
  ["differences", 3, [head(6), [2, 0x41, 0x2c, 0x5e, 0xe7], sample(300), sample(20), sample(50)]],
] as const)("the samples of a block are separated by sizes, stored as: %s", ([, count, parts]) => {
  const block = Buffer.concat(parts.map((part) => Buffer.from(part)));
  expect(walk(block)).toEqual({ found: { relativeTick: 32 }, right: count });
  expect(walk(block, block.length - 1).found).toBeNull();
});

test.for([
  ["belongs to a track that does not exist", [Buffer.from([0x82, 0, 0, 0]), sample(20)]],
  ["has fewer bytes than its sizes say", [head(2), [1, 200], sample(20), sample(50)]],
  ["does not divide into whole samples", [head(4), [2], sample(40), sample(40)]],
  ["is too short", [head(0).subarray(0, 3)]],
] as const)("a block that %s is invalid", ([, parts]) => {
  expect(walk(Buffer.concat(parts.map((part) => Buffer.from(part)))).found).toBeNull();
});
