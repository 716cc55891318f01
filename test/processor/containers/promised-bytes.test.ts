import * as fc from "fast-check";
import { expect, test } from "vitest";
import { promisedBytes } from "../../../processor/containers/promised-bytes.ts";

test("a riff file promises the bytes after its header, unless it was written without seeking", () => {
  const riff = (size: number) => {
    const head = Buffer.from("RIFF----WAVE");
    head.writeUInt32LE(size, 4);
    return promisedBytes("wav", head);
  };
  expect(riff(1000)).toBe(1008);
  expect(riff(0)).toBeNull();
  expect(riff(0xffffffff)).toBeNull();
  expect(promisedBytes("wav", Buffer.from("RF64----WAVE"))).toBeNull();
});

test("a matroska segment promises its size, in any number of bytes, or leaves it open", () => {
  const segment = (size: string) =>
    promisedBytes("webm", Buffer.from(`1a45dfa382000018538067${size}`, "hex"));
  expect(segment("85")).toBe(11 + 1 + 5);
  expect(segment("0100000000000400")).toBe(11 + 8 + 1024);
  expect(segment("ff")).toBeNull();
  expect(segment("01ffffffffffffff")).toBeNull();
});

test("whatever the bytes are, the promised size is positive or missing", () => {
  const starts = ["RIFF", "FORM", "\x1aE\xdf\xa3", "\x1aE\xdf\xa3\x80\x18S\x80g"];
  fc.assert(
    fc.property(
      fc.constantFrom("wav", "avi", "aiff", "matroska", "webm", "asf", "mp3"),
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 40 }),
      (kind, start, rest) => {
        const promised = promisedBytes(kind, Buffer.concat([Buffer.from(start, "latin1"), rest]));
        if (promised !== null) expect(promised).toBeGreaterThan(0);
      },
    ),
  );
});
