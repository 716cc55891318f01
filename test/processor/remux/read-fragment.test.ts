import { expect, test } from "vitest";
import type { FragmentedTrack } from "../../../processor/remux/fragmented-tracks.ts";
import { readFragment } from "../../../processor/remux/read-fragment.ts";
import { box } from "../../../processor/remux/write-index.ts";

const track: FragmentedTrack = {
  id: 7,
  trak: Buffer.alloc(0),
  ticksPerSecond: 1000,
  check: { kind: "h264", lengthBytes: 4 },
  defaults: { ticks: 20, bytes: 300, flags: 0x10000 },
  edit: { delaySeconds: 0, startTick: 0 },
};

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

const fragment = (...boxes: readonly Buffer[]) => box("traf", boxes);
const read = (moof: Buffer, samplesMax = 1000, tracks = [track]) =>
  readFragment(moof, { tracks, offset: 5000, nextTick: () => 77, samplesMax });

test("samples take their values from their run, then from their track's header, then from the index", () => {
  const header = box("tfhd", [words(0x20008, 7, 25)]);
  const time = box("tfdt", [words(0, 4000)]);
  const run = box("trun", [words(0xa05, 2, 100, 0, 400, 3, 500, 1)]);
  expect(read(fragment(header, time, run))).toEqual([
    {
      track,
      offset: 5100,
      startTick: 4000,
      samples: [
        { bytes: 400, ticks: 25, shift: 3, isSync: true },
        { bytes: 500, ticks: 25, shift: 1, isSync: false },
      ],
    },
  ]);
});

test("a run without an offset follows the previous one, and one without a time continues its track", () => {
  const header = box("tfhd", [words(0x20000, 7)]);
  const first = box("trun", [words(0x1, 2, 100)]);
  const second = box("trun", [words(0, 1)]);
  const runs = read(fragment(header, first, second));
  expect(runs?.map(({ offset, startTick }) => [offset, startTick])).toEqual([
    [5100, 77],
    [5700, 117],
  ]);
});

test("a track's second part in a fragment, without a time, continues the first", () => {
  const header = box("tfhd", [words(0x20000, 7)]);
  const one = box("trun", [words(0x1, 1, 100)]);
  const other = box("trun", [words(0x1, 1, 400)]);
  const runs = read(Buffer.concat([fragment(header, one), fragment(header, other)]));
  expect(runs?.map(({ startTick }) => startTick)).toEqual([77, 97]);
});

test.for([
  ["marked as a non-sync sample", 0x10000, [false, true]],
  ["marked as depending on others", 0x1000000, [false, true]],
  ["marked as independent", 0x2000000, [true, true]],
] as const)(
  "a sample %s is treated so in video, while every audio sample is a keyframe",
  ([, flags, expected]) => {
    const moof = fragment(box("tfhd", [words(0x20020, 7, flags)]), box("trun", [words(0x1, 1, 100)]));
    const checks = [track.check, { kind: "opus" } as const];
    const runs = checks.flatMap((check) => read(moof, 1000, [{ ...track, check }]) ?? []);
    expect(runs.flatMap(({ samples }) => samples.map(({ isSync }) => isSync))).toEqual(expected);
  },
);

test("a fragment whose boxes exceed it is rejected", () => {
  const header = box("tfhd", [words(0x20000, 7)]);
  const whole = fragment(header, box("trun", [words(0x1, 1, 100)]));
  const trackCut = Buffer.from(whole);
  trackCut.writeUInt32BE(whole.length + 1);
  const runCut = Buffer.from(whole);
  runCut.writeUInt32BE(1000, whole.indexOf("trun") - 4);
  expect(read(Buffer.concat([whole, whole]))).toHaveLength(2);
  for (const cut of [trackCut, runCut]) expect(read(Buffer.concat([whole, cut]))).toBeNull();
});

test("an offset from the beginning of the file is used unchanged", () => {
  const header = box("tfhd", [words(0x1, 7, 0, 9000)]);
  expect(read(fragment(header, box("trun", [words(0, 1)])))?.[0]?.offset).toBe(9000);
});

const known = box("tfhd", [words(0x20000, 7)]);

test.for([
  ["of an unknown track", fragment(box("tfhd", [words(0x20000, 8)]), box("trun", [words(0, 1)]))],
  ["without a header", fragment(box("trun", [words(0, 1)]))],
  ["that is truncated", fragment(known, box("trun", [words(0x200, 3, 100)]))],
  ["of four billion samples without bytes", fragment(known, box("trun", [words(0, 0xffffffff)]))],
] as const)("a fragment %s is rejected", ([, moof]) => {
  expect(read(moof)).toBeNull();
});
