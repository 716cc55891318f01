import type { FileHandle } from "node:fs/promises";
import { readFrom } from "../follow-file.ts";
import { boxContent } from "./box-content.ts";
import type { Box } from "./mp4-boxes.ts";

/** Enough for an index of several days. */
const indexMaxBytes = 1024 * 1024;

/**
 * Where an mp4 ends according to the indexes of its fragments. If it was truncated right after a fragment, nothing else
 * tells.
 */
export interface IndexedEnd {
  /** The file ends earlier. */
  readonly isMissing: boolean;
  /** One index before the media covers all of it. */
  readonly isSure: boolean;
}

/** For an mp4 with these boxes, which tile it. */
export async function findIndexedEnd(file: FileHandle, boxes: readonly Box[]): Promise<IndexedEnd> {
  const ends = createIndexedEnds();
  let end = 0;
  for (const { type, bytes } of boxes) {
    const start = end;
    end += bytes;
    if (type === "mdat") ends.mediaTo(end);
    if (type !== "sidx" || bytes > indexMaxBytes) continue;
    const content = boxContent(await readFrom(file, start, bytes), "sidx");
    if (content !== null) ends.index(content, end);
  }
  return ends.at(end);
}

/** Collects the indexes of fragments while a file is walked. */
export function createIndexedEnds() {
  let indexedEnd = 0;
  let wholeEnd: number | null = null;
  let mediaEnd = 0;
  return {
    /** Media was found up to this offset. */
    mediaTo(offset: number): void {
      mediaEnd = offset;
    },
    /** Takes the content of a `sidx` box that ends at this offset. */
    index(sidx: Buffer, boxEnd: number): void {
      const told = boxEnd + (indexedBytes(sidx) ?? 0);
      // Each segment may have an index of its own, which covers no other segment.
      if (mediaEnd === 0) wholeEnd ??= told;
      indexedEnd = Math.max(indexedEnd, told);
    },
    /** What is known when the file ends at this offset. */
    at: (fileEnd: number): IndexedEnd => ({
      isMissing: fileEnd < indexedEnd,
      isSure: wholeEnd !== null && mediaEnd <= wholeEnd,
    }),
  };
}

const offsetBytes = { short: 4, long: 8 } as const;
const referenceBytes = 12;

/**
 * How many bytes after its own end a segment index covers, given the content of its `sidx` box; null if that cannot be
 * read.
 */
function indexedBytes(sidx: Buffer): number | null {
  const each = sidx[0] === 0 ? offsetBytes.short : offsetBytes.long;
  const firstOffsetAt = 12 + each;
  const countAt = firstOffsetAt + each + 2;
  if (sidx.length < countAt + 2) return null;
  const firstOffset =
    each === offsetBytes.short
      ? sidx.readUInt32BE(firstOffsetAt)
      : Number(sidx.readBigUInt64BE(firstOffsetAt));
  const count = sidx.readUInt16BE(countAt);
  if (sidx.length < countAt + 2 + count * referenceBytes) return null;
  // The highest bit distinguishes an index of indexes from one of media.
  const sizes = Array.from(
    { length: count },
    (_, index) => sidx.readUInt32BE(countAt + 2 + index * referenceBytes) & 0x7fffffff,
  );
  return sizes.reduce((sum, size) => sum + size, firstOffset);
}
