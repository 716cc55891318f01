import { expect, test } from "vitest";
import { readStreamTimestamp } from "../../../processor/mux/stream-timestamp.ts";

const owner = "com.apple.streaming.transportStreamTimestamp\0";
const tag = (frame: string, ticks: number) => {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(ticks));
  return Buffer.concat([Buffer.from(`ID3\x04\0\0\0\0\0\x3fPRIV\0\0\0\x35\0\0${frame}`), time]);
};

test("an audio segment with a timestamp tag says when it starts", () => {
  expect(readStreamTimestamp(tag(owner, 126_000))).toBe(1.4);
  expect(readStreamTimestamp(Buffer.concat([tag(owner, 2 ** 33 - 1), Buffer.alloc(10)]))).toBeCloseTo(
    95_443.7,
    1,
  );
});

test("without such a tag it has no clock", () => {
  expect(readStreamTimestamp(tag("com.example\0", 126_000))).toBeNull();
  expect(readStreamTimestamp(tag(owner, 126_000).subarray(0, -1))).toBeNull();
  expect(readStreamTimestamp(Buffer.from(owner))).toBeNull();
  expect(readStreamTimestamp(Buffer.alloc(0))).toBeNull();
});
