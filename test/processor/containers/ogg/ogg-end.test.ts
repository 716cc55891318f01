import * as fc from "fast-check";
import { expect, test } from "vitest";
import { endsOgg } from "../../../../processor/containers/ogg/ogg-end.ts";

function page(flags: number, bytes: number): Buffer {
  const header = Buffer.alloc(28);
  header.write("OggS");
  header[5] = flags;
  header[26] = 1;
  header[27] = bytes;
  return Buffer.concat([header, Buffer.alloc(bytes, 1)]);
}

test("an ogg file ends with a complete page that is marked as the last", () => {
  expect(endsOgg(Buffer.concat([page(0, 10), page(4, 200)]))).toBe(true);
  expect(endsOgg(Buffer.concat([page(4, 10), page(0, 200)]))).toBe(false);
  expect(endsOgg(Buffer.alloc(0))).toBe(false);
  expect(endsOgg(Buffer.from("no page"))).toBe(false);
});

test("wherever the last page is cut, the file has not ended", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 255 }), fc.nat(), (bytes, at) => {
      const whole = Buffer.concat([page(0, 10), page(4, bytes)]);
      expect(endsOgg(whole.subarray(0, at % whole.length))).toBe(false);
    }),
  );
});
