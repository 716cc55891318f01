import { describe, expect, test } from "vitest";
import type { SampleCheck } from "../../../processor/containers/sample-check.ts";
import { createWalker } from "../../../processor/containers/walk-bytes.ts";
import { walkSample } from "../../../processor/containers/walk-sample.ts";

function look(sample: Buffer, check: SampleCheck, streamBytes = sample.length) {
  const walker = createWalker(walkSample(sample.length, check));
  walker.take(sample.subarray(0, streamBytes));
  return walker.end();
}

const nal: SampleCheck = { kind: "h264", lengthBytes: 4 };
/** A unit of video after its length. */
function unit(bytes: number, filling = 0x65): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return Buffer.concat([length, Buffer.alloc(bytes, filling)]);
}
/** The bytes with this many zeros from that offset on. */
const zeroed = (sample: Buffer, from: number, bytes: number) =>
  Buffer.from(sample).fill(0, from, from + bytes);

test.for([
  ["units that fill it", "right", Buffer.concat([unit(10), unit(200_000), unit(1)])],
  ["a unit longer than it", "broken", unit(100).subarray(0, 50)],
  ["a unit without length", "broken", Buffer.concat([unit(10), Buffer.alloc(20)])],
  ["a hole within a unit", "broken", zeroed(unit(1000), 500, 100)],
  ["a hole where it is read in pieces", "broken", zeroed(unit(200_000), 65_500, 100)],
  ["zeros after a unit's end", "right", zeroed(unit(1000), 900, 104)],
  ["a few zeros", "right", zeroed(unit(1000), 500, 4)],
] as const)("an h264 sample with %s is %s", ([, expected, sample]) => {
  expect(look(sample, nal)).toBe(expected);
});

test.for([
  ["h264", "right", [0x09, 0x67, 0x68, 0x06, 0x65]],
  ["h264", "right", [0x41]],
  ["h264", "odd", [0x09, 0x06]],
  ["h264", "broken", [0x02]],
  ["h264", "broken", [0x40, 0x42, 0x44, 0x28]],
  ["h265", "right", [0x40, 0x42, 0x44, 0x26]],
  ["h265", "right", [0x02]],
  ["h265", "odd", [0x40, 0x42]],
  ["h265", "broken", [0x09, 0x67, 0x68, 0x65]],
] as const)("a supposed %s sample is %s if its units begin with %j", ([kind, expected, firsts]) => {
  const sample = Buffer.concat(firsts.map((first) => unit(20, first)));
  expect(look(sample, { kind, lengthBytes: 4 })).toBe(expected);
});

const hex = (text: string, bytes = 0) => Buffer.concat([Buffer.from(text, "hex"), Buffer.alloc(bytes, 0x5a)]);

describe("the beginning of a sample is enough", () => {
  test.for([
    ["av1", "right", hex("12000a0b00000004458ffaf6fff62032035a5a5a")],
    ["av1", "right", hex("30", 100)],
    ["av1", "broken", hex("0000", 100)],
    ["av1", "broken", hex("12000aff7f", 20)],
    ["vp9", "right", hex("82498342", 100)],
    ["vp9", "right", hex("86", 100)],
    ["vp9", "right", hex("88")],
    ["vp9", "broken", hex("82000000", 100)],
    ["vp9", "broken", Buffer.alloc(100)],
    ["vp8", "right", hex("5002009d012a", 100)],
    ["vp8", "broken", hex("500200000000", 100)],
    ["vp8", "broken", hex("f1ffff", 100)],
    ["mp3", "right", hex("fffb9064", 413)],
    ["mp3", "odd", hex("fffb9064", 400)],
    ["mp3", "broken", hex("0ffb9064", 413)],
    ["vorbis", "right", hex("02", 50)],
    ["vorbis", "broken", hex("01", 50)],
    ["vorbis", "broken", Buffer.alloc(50)],
    ["opus", "right", hex("48", 50)],
    ["opus", "broken", Buffer.alloc(50)],
    ["aac", "right", hex("2110e0")],
    ["aac", "odd", hex("2110ea")],
    ["aac", "broken", Buffer.alloc(50)],
  ] as const)("%s: %s", ([kind, expected, sample]) => {
    expect(look(sample, { kind })).toBe(expected);
    expect(look(sample, { kind }, sample.length - 1)).toBeNull();
  });
});
