import type { FileHandle } from "node:fs/promises";
import { readFrom } from "../follow-file.ts";
import { boxContent } from "./box-content.ts";
import type { Box } from "./mp4-boxes.ts";

/** Enough for an index of several days. */
const indexMaxBytes = 1024 * 1024;

/**
 * Whether an mp4 with these boxes, which tile it, is shorter than the indexes of its fragments say. If it was truncated
 * right after a fragment, nothing else tells.
 */
export async function endsBeforeIndexed(file: FileHandle, boxes: readonly Box[]): Promise<boolean> {
  let end = 0;
  let indexedEnd = 0;
  for (const { type, bytes } of boxes) {
    const start = end;
    end += bytes;
    if (type !== "sidx" || bytes > indexMaxBytes) continue;
    const content = boxContent(await readFrom(file, start, bytes), "sidx");
    indexedEnd = Math.max(indexedEnd, end + ((content && indexedBytes(content)) ?? 0));
  }
  return end < indexedEnd;
}

const offsetBytes = { short: 4, long: 8 } as const;
const referenceBytes = 12;

/**
 * How many bytes after its own end a segment index covers, given the content of its `sidx` box; null if that cannot be
 * read.
 */
export function indexedBytes(sidx: Buffer): number | null {
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
