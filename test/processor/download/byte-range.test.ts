import * as fc from "fast-check";
import { expect, test } from "vitest";
import { placeOf, rangeHeaders } from "../../../processor/download/byte-range.ts";
import type { OpenResponse } from "../../../processor/network/open-response.ts";

function answer(
  status: number,
  headers: OpenResponse["headers"],
  length: number | null = null,
): Pick<OpenResponse, "status" | "headers" | "length"> {
  return { status, headers, length };
}

test("the whole resource is requested without a range, for servers that do not support any", () => {
  expect(rangeHeaders({ position: 0, end: null }, '"tag"')).toEqual({});
});

test("the rest is requested on condition that the resource has not changed", () => {
  expect(rangeHeaders({ position: 500, end: null }, '"tag"')).toEqual({
    range: "bytes=500-",
    "if-range": '"tag"',
  });
  expect(rangeHeaders({ position: 500, end: 600 }, null)).toEqual({ range: "bytes=500-599" });
  expect(rangeHeaders({ position: 0, end: 100 }, '"tag"')).toEqual({ range: "bytes=0-99" });
});

test("a complete response starts at byte 0, whatever was requested", () => {
  expect(placeOf(answer(200, { "content-range": "bytes 5-9/10" }, 10))).toMatchObject({
    start: 0,
    total: 10,
  });
  expect(placeOf(answer(200, {}))).toMatchObject({ start: 0, end: null, total: null, validator: null });
});

test("a server supports ranges if it returns one, or declares it for content of known length", () => {
  const says = { "accept-ranges": "bytes" };
  expect(placeOf(answer(206, { "content-range": "bytes 0-9/100" }, 10)).knowsRanges).toBe(true);
  expect(placeOf(answer(200, says, 10)).knowsRanges).toBe(true);
  expect(placeOf(answer(200, says)).knowsRanges).toBe(false);
  expect(placeOf(answer(200, { "accept-ranges": "none" }, 10)).knowsRanges).toBe(false);
});

test("only what proves byte-for-byte identity is a validator", () => {
  expect(placeOf(answer(200, { etag: 'W/"weak"' })).validator).toBeNull();
  expect(placeOf(answer(200, { etag: '"strong"', "last-modified": "yesterday" })).validator).toBe('"strong"');
  expect(placeOf(answer(200, { "last-modified": "yesterday" })).validator).toBe("yesterday");
});

test("consecutive ranges, each from where the last one ended, cover every byte once", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 1000 }), (total, rangeBytes) => {
      let next = 0;
      while (next < total) {
        const [, first, last] =
          /^bytes=(\d+)-(\d+)$/.exec(
            rangeHeaders({ position: next, end: next + rangeBytes }, null)["range"] ?? "",
          ) ?? [];
        const end = Math.min(Number(last), total - 1);
        const place = placeOf(
          answer(206, { "content-range": `bytes ${first}-${end}/${total}` }, end - next + 1),
        );
        expect(place).toMatchObject({ start: next, total });
        next = end + 1;
      }
      expect(next).toBe(total);
    }),
  );
});
