import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Writes chunks to a pipe that a program reads, as fast as it does. Rejects with the error of the chunks; a program
 * that ends without reading all is no error here.
 */
export async function feedPipe(chunks: AsyncIterable<Buffer>, pipe: Writable): Promise<void> {
  const failures: unknown[] = [];

  async function* watched(): AsyncGenerator<Buffer, void, undefined> {
    try {
      yield* chunks;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }

  try {
    await pipeline(watched(), pipe);
  } catch {
    if (failures.length > 0) throw failures[0];
  }
}
