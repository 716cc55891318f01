import * as fc from "fast-check";
import { expect, test } from "vitest";
import { partBytesFor, partsOf } from "../../../processor/upload/part-plan.ts";

const mib = 1024 * 1024;
const gib = 1024 * mib;

test("parts cover every file exactly, have the same size, and stay within the limits of storage", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 * gib }), (bytes) => {
      const parts = partsOf(bytes, partBytesFor(bytes));
      const [first] = parts;
      let offset = 0;
      for (const [index, part] of parts.entries()) {
        expect(part.number).toBe(index + 1);
        expect(part.offset).toBe(offset);
        offset += part.bytes;
      }
      expect(offset).toBe(bytes);
      expect(parts.length).toBeLessThanOrEqual(10_000);
      const sizes = new Set(parts.slice(0, -1).map((part) => part.bytes));
      expect(sizes.size).toBeLessThanOrEqual(1);
      if (parts.length > 1) expect(first?.bytes).toBeGreaterThanOrEqual(5 * mib);
      expect(parts.at(-1)?.bytes).toBeLessThanOrEqual(first?.bytes ?? 0);
    }),
    { numRuns: 30 },
  );
});

test("parts have 5 MiB as long as that is enough for the file", () => {
  expect(partBytesFor(1)).toBe(5 * mib);
  expect(partBytesFor(40 * gib)).toBe(5 * mib);
  expect(partBytesFor(50 * gib)).toBe(5.125 * mib);
});
