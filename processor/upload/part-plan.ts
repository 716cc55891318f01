const mib = 1024 * 1024;
/** S3 and R2 require at least 5 MiB for every part but the last, and allow at most 10,000 parts. */
export const smallestPartBytes = 5 * mib;
const partsMax = 10_000;
/** Granularity of larger part sizes. Fine, because the smaller a part is, the sooner it can be sent. */
const stepBytes = 64 * 1024;

/** One part of a file: its S3 part number, from 1, and its byte range. */
export interface Part {
  readonly number: number;
  readonly offset: number;
  readonly bytes: number;
}

/** The part size for a file of at most `mostBytes`: 5 MiB, or more if 10,000 parts of that size are not enough. */
export function partBytesFor(mostBytes: number): number {
  return Math.max(smallestPartBytes, Math.ceil(mostBytes / partsMax / stepBytes) * stepBytes);
}

/** Splits a file into consecutive parts of `partBytes`; the last one may be shorter. */
export function partsOf(fileBytes: number, partBytes: number): Part[] {
  return Array.from({ length: Math.ceil(fileBytes / partBytes) }, (_, index) => {
    const offset = index * partBytes;
    return { number: index + 1, offset, bytes: Math.min(partBytes, fileBytes - offset) };
  });
}
