import * as fc from "fast-check";
import { expect, it } from "vitest";
import { bytes, counted } from "../../../dashboard/format/amount.ts";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1.00 kB"],
  [999_499, "999 kB"],
  [999_500, "1.00 MB"],
  [48_213_377, "48.2 MB"],
  [5e9, "5.00 GB"],
])("%d is shown as %s", (amount, text) => expect(bytes(amount)).toBe(text));

it("any amount has three digits and no exponent, and is accurate to half a percent", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: Number.MAX_SAFE_INTEGER }), (amount) => {
      const [, number = "", unit = ""] = /^(\d\.\d\d|\d\d\.\d|\d\d\d) ([kMGTP])B$/.exec(bytes(amount)) ?? [];
      const shown = Number(number) * 1000 ** ("kMGTP".indexOf(unit) + 1);
      expect(Math.abs(shown - amount) / amount).toBeLessThanOrEqual(0.005);
    }),
  );
});

it("one item is counted in the singular", () => {
  expect([counted(0, "job"), counted(1, "job"), counted(1234, "job")]).toEqual([
    "0 jobs",
    "1 job",
    "1,234 jobs",
  ]);
});
