import { crc32 } from "node:zlib";
import { SourceChanged } from "../network/network-failure.ts";

/** The first bytes of a file, as they were given out. */
export interface Beginning {
  readonly bytes: number;
  /** CRC-32; null where something better says that the file is the same. */
  readonly checksum: number | null;
}

/**
 * What follows the beginning, of a file that comes again from its first byte. `onRepeated` is told when bytes come
 * that are left out. Throws SourceChanged when the beginning is not as it was.
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
