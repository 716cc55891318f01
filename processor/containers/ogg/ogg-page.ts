import type { ByteWalk } from "../walk-bytes.ts";

/** A page of an Ogg file. */
export interface OggPage {
  /** Including its header. */
  readonly bytes: number;
  /** Up to which sample the audio is complete with this page; null if none is. */
  readonly position: number | null;
  /** Which of the file's streams it belongs to. */
  readonly serial: number;
  readonly number: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly content: Buffer;
  /** Its checksum matches. */
  readonly isRight: boolean;
}

const headerBytes = 27;
const sumOffset = 22;
const firstFlag = 2;
const lastFlag = 4;

/** The next page in a stream; "end" if the stream is over, null if there is anything else, or an incomplete page. */
export function* takePage(): ByteWalk<OggPage | "end" | null> {
  const header = yield headerBytes;
  if (header.length === 0) return "end";
  if (header.length < headerBytes || header.toString("latin1", 0, 4) !== "OggS" || header[4] !== 0)
    return null;
  const segments = header[headerBytes - 1] ?? 0;
  const table = segments === 0 ? Buffer.alloc(0) : yield segments;
  const contentBytes = table.reduce((sum, length) => sum + length, 0);
  const content = contentBytes === 0 ? Buffer.alloc(0) : yield contentBytes;
  if (table.length < segments || content.length < contentBytes) return null;
  const flags = header[5] ?? 0;
  const position = header.readBigInt64LE(6);
  const summed = Buffer.from(header).fill(0, sumOffset, sumOffset + 4);
  return {
    bytes: headerBytes + segments + contentBytes,
    position: position < 0n ? null : Number(position),
    serial: header.readUInt32LE(14),
    number: header.readUInt32LE(18),
    isFirst: (flags & firstFlag) !== 0,
    isLast: (flags & lastFlag) !== 0,
    content,
    isRight: [summed, table, content].reduce(addToSum, 0) === header.readUInt32LE(sumOffset),
  };
}

/** Table for the CRC with Ogg's polynomial, by byte. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder << 1) ^ (remainder < 0 ? 0x04c11db7 : 0);
  return remainder;
});

function addToSum(before: number, bytes: Buffer): number {
  let sum = before;
  for (const byte of bytes) sum = (sum << 8) ^ (remainders[(sum >>> 24) ^ byte] ?? 0);
  return sum >>> 0;
}
