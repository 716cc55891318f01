import { crc32 } from "node:zlib";
import { SourceChanged } from "../network/network-failure.ts";

/** The first bytes of a file, as they were yielded. */
export interface Beginning {
  readonly bytes: number;
  /** CRC-32; null if something better tells that the file is the same. */
  readonly checksum: number | null;
}

/**
 * What follows the beginning, in a file that arrives again from its first byte. `onRepeated` is called when bytes
 * arrive that are left out. Throws SourceChanged if the beginning is not as it was.
 */
export async function* afterBeginning(
  chunks: AsyncIterable<Buffer>,
  { bytes, checksum }: Beginning,
  onRepeated: () => void,
): AsyncGenerator<Buffer, void, undefined> {
  let passed = 0;
  let repeatedChecksum = 0;
  for await (const chunk of chunks) {
    const repeated = chunk.subarray(0, Math.max(0, bytes - passed));
    passed += chunk.length;
    if (repeated.length > 0) {
      onRepeated();
      if (checksum !== null) repeatedChecksum = crc32(repeated, repeatedChecksum);
      const isComplete = passed >= bytes;
      if (isComplete && checksum !== null && repeatedChecksum !== checksum) throw new SourceChanged();
    }
    if (repeated.length < chunk.length) yield chunk.subarray(repeated.length);
  }
}
