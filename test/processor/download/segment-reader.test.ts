import { createCipheriv, createDecipheriv, randomBytes, type Decipheriv } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SourceChanged } from "../../../processor/network/network-failure.ts";
import { createSegmentChecks } from "../../../processor/download/segment-check.ts";
import { createSegmentReader } from "../../../processor/download/segment-reader.ts";

/** Reads segments that a playlist lists, and that `decipher` decrypts. */
const readerOf = (decipher: () => Decipheriv | null = () => null) =>
  createSegmentReader(() => ({
    decipher: decipher(),
    check: createSegmentChecks().open({ seconds: 2, isContinued: true }),
  }));

/** A segment, read in pieces of this many bytes. */
function read(segment: Buffer, pieceBytes: number, reader = readerOf()): Buffer {
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
  const reader = () => readerOf(() => createDecipheriv("aes-128-cbc", key, vector));
  const media = Buffer.concat([Buffer.alloc(20), Buffer.from("words".repeat(100))]);
  expect(read(encrypted(media), 100, reader())).toEqual(media);
  expect(() => read(encrypted(Buffer.from("words")), 100, reader())).toThrow("a segment is not media");
});

/** Packets of a transport stream, which only hold noise. */
function packets(count: number): Buffer {
  const bytes = randomBytes(188 * count);
  for (let packet = 0; packet < count; packet += 1) {
    bytes[188 * packet] = 0x47;
    // Without a field or a header.
    bytes[188 * packet + 1] = 0;
    bytes[188 * packet + 3] = 0x10;
  }
  return bytes;
}

test("a segment sent again after it was truncated is continued, however it is chunked", () => {
  const whole = packets(20);
  const cuts = fc.integer({ min: 3 * 188 + 1, max: whole.length - 1 }).filter((bytes) => bytes % 188 !== 0);
  fc.assert(
    fc.property(cuts, pieces, (bytes, pieceBytes) => {
      const reader = readerOf();
      const update = (segment: Buffer) => {
        const all: Buffer[] = [];
        for (let at = 0; at < segment.length; at += pieceBytes)
          all.push(reader.update(segment.subarray(at, at + pieceBytes)));
        return Buffer.concat(all);
      };
      const first = update(whole.subarray(0, bytes));
      expect(() => reader.final()).toThrow("a segment is truncated");
      reader.restart();
      const rest = update(whole);
      expect(Buffer.concat([first, rest, reader.final()]).equals(whole)).toBe(true);
    }),
  );
});

test("a segment sent again is truncated if even shorter, and changed if different", () => {
  const whole = packets(20);
  const reader = readerOf();
  reader.update(whole.subarray(0, 188 * 10 + 5));
  expect(() => reader.final()).toThrow("a segment is truncated");
  reader.restart();
  expect(reader.update(whole.subarray(0, 188 * 5))).toHaveLength(0);
  expect(() => reader.final()).toThrow("a segment is truncated");
  reader.restart();
  expect(() => reader.update(packets(20))).toThrow(SourceChanged);
});

test("an encrypted segment without its end is truncated, and continued without losing its last block", () => {
  const [key, vector] = [randomBytes(16), randomBytes(16)];
  const cipher = createCipheriv("aes-128-cbc", key, vector);
  const whole = packets(20);
  const encrypted = Buffer.concat([cipher.update(whole), cipher.final()]);
  const reader = readerOf(() => createDecipheriv("aes-128-cbc", key, vector));
  const first = reader.update(encrypted.subarray(0, 1500));
  expect(() => reader.final()).toThrow("a segment is truncated");
  reader.restart();
  const rest = reader.update(encrypted);
  expect(Buffer.concat([first, rest, reader.final()]).equals(whole)).toBe(true);
});
