import { expect, test } from "vitest";
import type { Place } from "../../../processor/download/byte-range.ts";
import { identify, unknownIdentity } from "../../../processor/download/remote-identity.ts";
import { RangeRefused, SourceChanged } from "../../../processor/network/network-failure.ts";

const place: Place = { start: 0, end: 1000, total: 1000, validator: '"a"', knowsRanges: true };
const known = { total: 1000, validator: '"a"' };

test("what the answers say adds up", () => {
  const first = identify(unknownIdentity, { ...place, total: null }, 0);
  expect(first).toEqual({ total: null, validator: '"a"' });
  expect(identify(first, { ...place, validator: null }, 0)).toEqual(known);
});

test("another length or another validator is another file", () => {
  expect(() => identify(known, { ...place, total: 999 }, 0)).toThrow(SourceChanged);
  expect(() => identify(known, { ...place, validator: '"b"' }, 0)).toThrow(SourceChanged);
});

test("an answer begins where it was asked to, or at the beginning", () => {
  expect(identify(known, { ...place, start: 500 }, 500)).toEqual(known);
  expect(identify(known, { ...place, start: 0 }, 500)).toEqual(known);
  expect(() => identify(known, { ...place, start: 600 }, 500)).toThrow(RangeRefused);
});
