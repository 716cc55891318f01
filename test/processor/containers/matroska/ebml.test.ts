import * as fc from "fast-check";
import { expect, test } from "vitest";
import { elementsIn, readElement, takeElement } from "../../../../processor/containers/matroska/ebml.ts";
import { createWalker } from "../../../../processor/containers/walk-bytes.ts";

/** A number after a marker of its length. */
function vint(value: number, bytes: number): Buffer {
  const marked = (1n << (7n * BigInt(bytes))) | BigInt(value);
  return Buffer.from(marked.toString(16).padStart(2 * bytes, "0"), "hex");
}

const header = fc
  .record({ id: fc.constantFrom(0xec, 0x4282, 0x2ad7b1, 0x1f43b675), length: fc.integer({ min: 1, max: 8 }) })
  .chain(({ id, length }) =>
    fc
      .integer({ min: 0, max: Math.min(2 ** (7 * length) - 2, Number.MAX_SAFE_INTEGER) })
      .map((bytes) => ({ id, bytes, header: Buffer.concat([ofHex(id.toString(16)), vint(bytes, length)]) })),
  );
const ofHex = (hex: string) => Buffer.from(hex, "hex");

test("a header of any length is read, from memory and from a stream", () => {
  fc.assert(
    fc.property(header, ({ id, bytes, header: whole }) => {
      const element = { id, bytes, headerBytes: whole.length };
      expect(readElement(whole, 0)).toEqual(element);
      expect(readElement(whole.subarray(0, -1), 0)).toBeNull();
      const walker = createWalker(takeElement());
      for (const byte of whole) walker.take(Buffer.of(byte));
      expect(walker.end()).toEqual(element);
    }),
  );
});

test("a size of all ones is unknown", () => {
  for (const size of ["ff", "7fff", "01ffffffffffffff"]) {
    expect(readElement(ofHex(`1f43b675${size}`), 0)?.bytes).toBeNull();
  }
});

test("elements that do not fill their bytes are invalid", () => {
  const one = ofHex("ec820102");
  expect(elementsIn(Buffer.concat([one, one]))).toHaveLength(2);
  expect(elementsIn(Buffer.concat([one, one.subarray(0, -1)]))).toBeNull();
  expect(elementsIn(Buffer.alloc(10))).toBeNull();
});
