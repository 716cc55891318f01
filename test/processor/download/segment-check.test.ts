import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, test } from "vitest";
import { createSegmentChecks } from "../../../processor/download/segment-check.ts";
import { PieceCut } from "../../../processor/download/piece.ts";
import type { ListedPart } from "../../../processor/download/segment.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { makeMedia } from "../../../scripts/origin/make-media.ts";
import { oldTag } from "../containers/damage.ts";
import { testMediaFolder } from "../../origin/test-origin.ts";

const packetBytes = 188;
let segments: readonly Buffer[];
beforeAll(async () => {
  await makeMedia(testMediaFolder);
  const names = ["0-000.ts", "0-001.ts", "0-002.ts"];
  segments = await Promise.all(names.map((name) => readFile(join(testMediaFolder, "hls", name))));
});

const listed: ListedPart = { seconds: 2, isContinued: true };

/** Checks segments one after the other, in pieces of 7,777 bytes. */
function check(
  bytes: readonly Buffer[],
  parts: readonly (ListedPart | null)[] = bytes.map(() => listed),
): void {
  const checks = createSegmentChecks();
  for (const [index, segment] of bytes.entries()) {
    const one = checks.open(parts[index] ?? null);
    for (let at = 0; at < segment.length; at += 7777) one.take(segment.subarray(at, at + 7777));
    one.end();
  }
}

/** The segments, with the second one truncated. */
function cutTo(bytes: (whole: number) => number): Buffer[] {
  return segments.map((segment, index) =>
    index === 1 ? segment.subarray(0, bytes(segment.length)) : segment,
  );
}
const half = (whole: number) => Math.floor(whole / packetBytes / 2) * packetBytes;

describe("a transport stream", () => {
  test("is accepted whether or not its list is precise", () => {
    check(segments);
    check(
      segments,
      segments.map(() => ({ ...listed, seconds: 10 })),
    );
    check(
      segments,
      segments.map(() => null),
    );
  });

  test("is rejected if a segment ends within a packet", () => {
    for (const missing of [1, 100, 187, 189])
      expect(() => check(cutTo((whole) => whole - missing))).toThrow(PieceCut);
  });

  test("is rejected if a segment ends after a packet, but far before the next one starts", () => {
    expect(() => check(cutTo(half))).toThrow(JobFailure);
    expect(() => check(cutTo(half), [listed, { ...listed, seconds: 2.4 }, listed])).toThrow(
      "a segment is truncated",
    );
  });

  test("may lack packets anywhere, as a recording of a disturbed broadcast does", () => {
    const without = (segment: Buffer, packet: number) =>
      Buffer.concat([
        segment.subarray(0, packet * packetBytes),
        segment.subarray((packet + 3) * packetBytes),
      ]);
    const [begin, cut, end] = cutTo(half);
    if (!begin || !cut || !end) throw new Error("there are three segments");
    check([without(begin, 20), cut, end]);
    check([begin, cut, without(end, 20)]);
    expect(() => check([begin, cut, end])).toThrow("a segment is truncated");
  });

  test("may restart its clock, and have gaps between listed segments", () => {
    check(cutTo(half), [listed, listed, { ...listed, isContinued: false }]);
    check([segments[0], segments[2]].filter((segment) => segment !== undefined));
  });

  test("may be followed by other data, or not be one at all", () => {
    const [segment = Buffer.alloc(0)] = segments;
    for (const added of ["\n", "<html>", "x".repeat(500)])
      check([Buffer.concat([segment, Buffer.from(added)])]);
    check([Buffer.alloc(0), Buffer.from("G"), Buffer.from("WEBVTT\n\n"), Buffer.alloc(1000)]);
  });

  test("split anywhere by its list is not checked", () => {
    const [segment = Buffer.alloc(0)] = segments;
    check([segment.subarray(0, 1000), segment.subarray(1000)], [null, null]);
  });
});

test.each(["adts", "mp3"])("a segment of bare audio as %s is rejected if truncated", async (format) => {
  const source = ["-f", "lavfi", "-i", "sine=duration=1", "-id3v2_version", "0", "-f", format, "pipe:1"];
  const { stdout } = await execa("ffmpeg", ["-nostdin", "-v", "error", ...source], { encoding: "buffer" });
  const audio = Buffer.from(stdout);
  const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 20, ...Buffer.alloc(20)]);
  for (const segment of [audio, Buffer.concat([tag, audio])]) {
    check([segment]);
    check([Buffer.concat([segment, oldTag])]);
    for (const missing of [1, 3]) {
      expect(() => check([segment.subarray(0, segment.length - missing)]), String(missing)).toThrow(PieceCut);
    }
  }
});

test("a segment of boxes is rejected if truncated, and accepted with data after it", async () => {
  const args = [
    "-f",
    "lavfi",
    "-i",
    "sine=duration=1",
    "-movflags",
    "frag_keyframe+empty_moov",
    "-f",
    "mp4",
    "pipe:1",
  ];
  const { stdout } = await execa("ffmpeg", ["-nostdin", "-v", "error", ...args], { encoding: "buffer" });
  const bytes = Buffer.from(stdout);
  const segment = bytes.subarray(bytes.indexOf("moof") - 4);
  check([segment]);
  check([Buffer.concat([segment, Buffer.from("<html>words</html>")])]);
  for (const left of [4, 20, segment.length / 2, segment.length - 1])
    expect(() => check([segment.subarray(0, left)]), String(left)).toThrow(PieceCut);
});
