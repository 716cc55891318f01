const mib = 1024 * 1024;
/** The smallest part that storage accepts before the last one, and what R2 and S3 allow in number. */
export const smallestPartBytes = 5 * mib;
const partsMax = 10_000;
/** Larger parts are longer by a multiple of this: the sooner a part is full, the sooner it is on its way. */
const stepBytes = 64 * 1024;

/** One part of a file: its number as storage counts, from 1, and where its bytes lie. */
export interface Part {
  readonly number: number;
  readonly offset: number;
  readonly bytes: number;
}

/** How large the parts of a file of at most so many bytes are: 5 MiB, or as much more as it takes for 10,000 to do. */
export function partBytesFor(mostBytes: number): number {
  return Math.max(smallestPartBytes, Math.ceil(mostBytes / partsMax / stepBytes) * stepBytes);
}

/** The file in order, in parts of `partBytes` but for the last. */
export function partsOf(fileBytes: number, partBytes: number): Part[] {
  return Array.from({ length: Math.ceil(fileBytes / partBytes) }, (_, index) => {
    const offset = index * partBytes;
    return { number: index + 1, offset, bytes: Math.min(partBytes, fileBytes - offset) };
  });
}
