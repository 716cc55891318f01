import { expect, test } from "vitest";
import type { Place } from "../../../processor/download/byte-range.ts";
import {
  identify,
  isOfMirror,
  unknownIdentity,
  withValidator,
} from "../../../processor/download/remote-identity.ts";
import { RangeRefused, SourceChanged } from "../../../processor/network/network-failure.ts";

const place: Place = { start: 0, end: 1000, total: 1000, validator: '"a"', knowsRanges: true };
const known = { total: 1000, validators: ['"a"'] };

test("the information from several responses is combined", () => {
  const first = identify(unknownIdentity, { ...place, total: null }, 0);
  expect(first).toEqual({ total: null, validators: ['"a"'] });
  expect(identify(first, { ...place, validator: null }, 0)).toEqual(known);
});

test("a different length or validator means a different file", () => {
  expect(() => identify(known, { ...place, total: 999 }, 0)).toThrow(SourceChanged);
  expect(() => identify(known, { ...place, validator: '"b"' }, 0)).toThrow(SourceChanged);
});

test("a response starts where requested, or at byte 0", () => {
  expect(identify(known, { ...place, start: 500 }, 500)).toEqual(known);
  expect(identify(known, { ...place, start: 0 }, 500)).toEqual(known);
  expect(() => identify(known, { ...place, start: 600 }, 500)).toThrow(RangeRefused);
});

test("a mirror is of the same length, and its name counts once it is known", () => {
  const other = { ...place, validator: '"b"' };
  expect(isOfMirror(known, other)).toBe(true);
  expect(isOfMirror(known, place)).toBe(false);
  expect(isOfMirror(known, { ...other, total: 999 })).toBe(false);
  expect(isOfMirror(unknownIdentity, other)).toBe(false);
  expect(isOfMirror(withValidator(known, other), other)).toBe(false);
});
