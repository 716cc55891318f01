import type { FileKind } from "./media.ts";

/**
 * How long in bytes a file has to be by its own header, whose first bytes these are; null where it does not say.
 * More than this may follow, such as tags.
 */
export function promisedBytes(kind: FileKind, head: Buffer): number | null {
  if (kind === "wav" || kind === "avi") return riffBytes(head);
  if (kind === "aiff") return head.length < 8 ? null : chunkHeaderBytes + head.readUInt32BE(4);
  if (kind === "matroska" || kind === "webm") return segmentEnd(head);
  if (kind === "asf") return asfBytes(head);
  return null;
}

const chunkHeaderBytes = 8;
/** A writer that cannot go back leaves one of these. */
const unknownRiffSizes: ReadonlySet<number> = new Set([0, 0xffffffff]);

function riffBytes(head: Buffer): number | null {
  if (head.length < chunkHeaderBytes || head.toString("latin1", 0, 4) !== "RIFF") return null;
  const size = head.readUInt32LE(4);
  return unknownRiffSizes.has(size) ? null : chunkHeaderBytes + size;
}

const segmentId = 0x18538067;

/** Where the segment ends that follows the EBML header. */
function segmentEnd(head: Buffer): number | null {
  const header = readElementSize(head, 4);
  if (header === null || header.size === null) return null;
  const segment = header.end + header.size;
  if (head.length < segment + 4 || head.readUInt32BE(segment) !== segmentId) return null;
  const { size = null, end = 0 } = readElementSize(head, segment + 4) ?? {};
  return size === null ? null : end + size;
}

/** A size of variable length, and where it ends; all ones stand for an unknown size. */
function readElementSize(head: Buffer, offset: number): { size: number | null; end: number } | null {
  const first = head[offset] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8 || offset + length > head.length) return null;
  const bits = 7n * BigInt(length);
  const value = BigInt(`0x${head.toString("hex", offset, offset + length)}`) & ((1n << bits) - 1n);
  return { size: value === (1n << bits) - 1n ? null : Number(value), end: offset + length };
}

const asfFileProperties = Buffer.from("a1dcab8c47a9cf118ee400c00c205365", "hex");
const asfFileSizeOffset = 40;

function asfBytes(head: Buffer): number | null {
  const at = head.indexOf(asfFileProperties);
  if (at === -1 || head.length < at + asfFileSizeOffset + 8) return null;
  return Number(head.readBigUInt64LE(at + asfFileSizeOffset)) || null;
}
