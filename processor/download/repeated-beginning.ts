import { crc32 } from "node:zlib";
import { SourceChanged } from "../network/network-failure.ts";

/** The first bytes of a file, as they were yielded. */
export interface Beginning {
  readonly bytes: number;
  /** CRC-32; null if something better tells that the file is the same. */
  readonly checksum: number | null;
}

/**
 * Leaves the beginning out of a file that arrives again from its first byte: returns what of each chunk follows it.
 * Throws SourceChanged if the beginning is not as it was.
 */
export function createRepetition({ bytes, checksum }: Beginning) {
  let passed = 0;
  let repeatedChecksum = 0;
  return {
    leaveOut(chunk: Buffer): Buffer {
      const repeated = chunk.subarray(0, Math.max(0, bytes - passed));
      passed += chunk.length;
      if (repeated.length > 0 && checksum !== null) {
        repeatedChecksum = crc32(repeated, repeatedChecksum);
        if (passed >= bytes && repeatedChecksum !== checksum) throw new SourceChanged();
      }
      return chunk.subarray(repeated.length);
    },
    /** The whole beginning has arrived. */
    isOver: () => passed >= bytes,
  };
}

/** Like `createRepetition`, for a stream. `onRepeated` is called with the number of bytes left out as they arrive. */
export async function* afterBeginning(
  chunks: AsyncIterable<Buffer>,
  beginning: Beginning,
  onRepeated: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const repetition = createRepetition(beginning);
  for await (const chunk of chunks) {
    const rest = repetition.leaveOut(chunk);
    if (rest.length < chunk.length) onRepeated(chunk.length - rest.length);
    if (rest.length > 0) yield rest;
  }
}
