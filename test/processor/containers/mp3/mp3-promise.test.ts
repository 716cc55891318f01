import * as fc from "fast-check";
import { expect, test } from "vitest";
import { promisedMp3Seconds, tagBytes } from "../../../../processor/containers/mp3/mp3-promise.ts";

/** A first frame with a header of this many frames after this many bytes. */
function frame(header: string, noteAt: number, name: string, framesAt: number, frames: number): Buffer {
  const head = Buffer.alloc(200);
  head.write(header, "hex");
  head.write(name, noteAt);
  if (name !== "VBRI") head.writeUInt32BE(1, noteAt + 4);
  head.writeUInt32BE(frames, noteAt + framesAt);
  return head;
}

test("the header is found for each version and number of channels", () => {
  expect(promisedMp3Seconds(frame("fffb9000", 36, "Xing", 8, 1000))).toBeCloseTo((1000 * 1152) / 44_100);
  expect(promisedMp3Seconds(frame("fffb94c0", 21, "Info", 8, 1000))).toBeCloseTo((1000 * 1152) / 48_000);
  expect(promisedMp3Seconds(frame("fff390c0", 13, "Xing", 8, 1000))).toBeCloseTo((1000 * 576) / 22_050);
  expect(promisedMp3Seconds(frame("ffe39000", 21, "Xing", 8, 1000))).toBeCloseTo((1000 * 576) / 11_025);
  expect(promisedMp3Seconds(frame("fffb9000", 36, "VBRI", 14, 1000))).toBeCloseTo((1000 * 1152) / 44_100);
});

test("padding before the first frame is skipped, and a frame of audio promises nothing", () => {
  const padded = Buffer.concat([Buffer.alloc(500), frame("fffb9000", 36, "Xing", 8, 1000)]);
  expect(promisedMp3Seconds(padded)).toBeCloseTo((1000 * 1152) / 44_100);
  expect(promisedMp3Seconds(frame("fffb9000", 36, "none", 8, 1000))).toBeNull();
  expect(promisedMp3Seconds(frame("fffb9000", 36, "Xing", 8, 0))).toBeNull();
});

test("the header is found after the rest of another frame", () => {
  // Each of these frames has 417 bytes.
  const sound = Buffer.alloc(3 * 417);
  for (const at of [0, 417, 834]) sound.write("fffb9000", at, "hex");
  frame("fffb9000", 36, "Xing", 8, 1000).copy(sound);
  expect(promisedMp3Seconds(Buffer.concat([Buffer.from("the rest of a frame"), sound]))).toBeCloseTo(
    (1000 * 1152) / 44_100,
  );
});

test("a tag's size has seven bits per byte", () => {
  expect(tagBytes(Buffer.from("49443304000000000123", "hex"))).toBe(10 + 128 + 35);
  expect(tagBytes(Buffer.from("49443304001000000123", "hex"))).toBe(20 + 128 + 35);
  expect(tagBytes(Buffer.from("fffb9000", "hex"))).toBe(0);
});

test("whatever the bytes are, the promised duration is positive or missing", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const promised = promisedMp3Seconds(Buffer.from([0xff, ...bytes]));
      if (promised !== null) expect(promised).toBeGreaterThan(0);
    }),
  );
});
