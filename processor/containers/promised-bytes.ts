import { ebmlIds, readElement } from "./matroska/ebml.ts";
import type { FileKind } from "../mux/media.ts";

/**
 * How many bytes long a file has to be according to its own header, given its first bytes; null if it does not say.
 * More may follow, such as tags.
 */
export function promisedBytes(kind: FileKind, head: Buffer): number | null {
  if (kind === "wav" || kind === "avi") return riffBytes(head);
  if (kind === "w64") return head.length < 24 ? null : Number(head.readBigUInt64LE(16)) || null;
  if (kind === "aiff") return head.length < 8 ? null : chunkHeaderBytes + head.readUInt32BE(4);
  if (kind === "matroska" || kind === "webm") return segmentEnd(head);
  if (kind === "asf") return asfBytes(head);
  return null;
}

const chunkHeaderBytes = 8;
/** Left behind by a writer that cannot seek back. */
const unknownRiffSizes: ReadonlySet<number> = new Set([0, 0xffffffff]);

function riffBytes(head: Buffer): number | null {
  if (head.length < chunkHeaderBytes || head.toString("latin1", 0, 4) !== "RIFF") return null;
  const size = head.readUInt32LE(4);
  return unknownRiffSizes.has(size) ? null : chunkHeaderBytes + size;
}

/** The end of the segment that follows the EBML header. */
function segmentEnd(head: Buffer): number | null {
  const header = readElement(head, 0);
  if (header === null || header.bytes === null) return null;
  const start = header.headerBytes + header.bytes;
  const segment = readElement(head, start);
  if (segment?.id !== ebmlIds.segment || segment.bytes === null) return null;
  return start + segment.headerBytes + segment.bytes;
}

const asfFileProperties = Buffer.from("a1dcab8c47a9cf118ee400c00c205365", "hex");
const asfFileSizeOffset = 40;

function asfBytes(head: Buffer): number | null {
  const at = head.indexOf(asfFileProperties);
  if (at === -1 || head.length < at + asfFileSizeOffset + 8) return null;
  return Number(head.readBigUInt64LE(at + asfFileSizeOffset)) || null;
}
