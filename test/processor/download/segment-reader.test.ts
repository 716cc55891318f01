import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSegmentReader } from "../../../processor/download/segment-reader.ts";

/** A segment, read in pieces of this many bytes. */
function read(segment: Buffer, pieceBytes: number, reader = createSegmentReader(null)): Buffer {
  const all: Buffer[] = [];
  for (let at = 0; at < segment.length; at += pieceBytes)
    all.push(reader.update(segment.subarray(at, at + pieceBytes)));
  return Buffer.concat([...all, reader.final()]);
}

const pieces = fc.integer({ min: 1, max: 1000 });

test("media is passed through unchanged, in pieces of any size", () => {
  const media = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from([0x47, 0, ...bytes]));
  fc.assert(fc.property(media, pieces, (segment, bytes) => read(segment, bytes).equals(segment)));
});

test("text is rejected, however it is chunked, and so is an empty segment", () => {
  const page = Buffer.from("<!doctype html>\r\n\t<p>Nicht gefunden: größer</p>".repeat(20));
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: page.length }), (bytes, length) => {
      expect(() => read(page.subarray(0, length), bytes)).toThrow("a segment is not media");
    }),
  );
  expect(() => read(Buffer.alloc(0), 1)).toThrow("a segment is empty");
});

test("an encrypted segment is checked once it is decrypted", () => {
  const [key, vector] = [randomBytes(16), randomBytes(16)];
  const encrypted = (text: Buffer) => {
    const cipher = createCipheriv("aes-128-cbc", key, vector);
    return Buffer.concat([cipher.update(text), cipher.final()]);
  };
  const reader = () => createSegmentReader(createDecipheriv("aes-128-cbc", key, vector));
  const media = Buffer.concat([Buffer.alloc(20), Buffer.from("words".repeat(100))]);
  expect(read(encrypted(media), 100, reader())).toEqual(media);
  expect(() => read(encrypted(Buffer.from("words")), 100, reader())).toThrow("a segment is not media");
});
