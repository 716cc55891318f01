import * as fc from "fast-check";
import { expect, test } from "vitest";
import { promisedBytes } from "../../../processor/containers/promised-bytes.ts";

test("a riff file promises what follows its header, unless its writer could not go back", () => {
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

test("a matroska segment promises its size, in as many bytes as it likes, or leaves it open", () => {
  const segment = (size: string) =>
    promisedBytes("webm", Buffer.from(`1a45dfa382000018538067${size}`, "hex"));
  expect(segment("85")).toBe(11 + 1 + 5);
  expect(segment("0100000000000400")).toBe(11 + 8 + 1024);
  expect(segment("ff")).toBeNull();
  expect(segment("01ffffffffffffff")).toBeNull();
});

test("whatever the bytes are, there is a promise of more than none, or none", () => {
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
