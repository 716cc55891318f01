const mib = 1024 * 1024;
/** The smallest part that storage accepts before the last one, and what R2 and S3 allow in number. */
export const smallestPartBytes = 5 * mib;
const partsMax = 10_000;

/** One part of a file: its number as storage counts, from 1, and where its bytes lie. */
export interface Part {
  readonly number: number;
  readonly offset: number;
  readonly bytes: number;
}

/** How large the parts of a file of at most so many bytes are: 5 MiB, or whole MiB more where 10,000 would not do. */
export function partBytesFor(mostBytes: number): number {
  return Math.max(smallestPartBytes, Math.ceil(mostBytes / partsMax / mib) * mib);
}

/** The file in order, in parts of `partBytes` but for the last. */
export function partsOf(fileBytes: number, partBytes: number): Part[] {
  return Array.from({ length: Math.ceil(fileBytes / partBytes) }, (_, index) => {
    const offset = index * partBytes;
    return { number: index + 1, offset, bytes: Math.min(partBytes, fileBytes - offset) };
  });
}
