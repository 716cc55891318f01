import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isOpusPacket } from "../../../processor/containers/opus-packet.ts";

/** 20 ms, mono; the low bits say how its frames are counted. */
const first = (frameCode: number) => (9 << 3) | frameCode;
const packet = (...bytes: (number | number[])[]) => Uint8Array.from(bytes.flat());
const frame = (bytes: number) => Array.from({ length: bytes }, (_, at) => at % 256);

test.for([
  ["one frame", packet(first(0), frame(80))],
  ["one empty frame", packet(first(0))],
  ["two of the same length", packet(first(1), frame(80))],
  ["two of different lengths", packet(first(2), 10, frame(80))],
  ["two with a long first one", packet(first(2), 252, 1, frame(300))],
  ["three of the same length", packet(first(3), 3, frame(60))],
  ["three of different lengths", packet(first(3), 0x83, 10, 20, frame(40))],
  ["three of the same length before padding", packet(first(3), 0x43, 4, frame(60), [0, 0, 0, 0])],
] as const)("%s can be a packet", ([, bytes]) => {
  expect(isOpusPacket(bytes)).toBe(true);
});

test.for([
  ["nothing", packet()],
  ["a frame that is too long", packet(first(0), frame(1276))],
  ["two of the same length with an odd number of bytes", packet(first(1), frame(81))],
  ["a first frame longer than the packet", packet(first(2), 100, frame(80))],
  ["no frames", packet(first(3), 0, frame(60))],
  ["more than 120 ms", packet(first(3), 7, frame(70))],
  ["bytes that do not divide into three", packet(first(3), 3, frame(61))],
  ["more padding than bytes", packet(first(3), 0x43, 200, frame(60))],
] as const)("%s cannot", ([, bytes]) => {
  expect(isOpusPacket(bytes)).toBe(false);
});

test("any bytes can be checked", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(typeof isOpusPacket(bytes)).toBe("boolean");
    }),
  );
});
