import type { Writable } from "node:stream";

/**
 * Writes chunks to a pipe that a program reads, as fast as it does. The next chunk is asked for when the last one is
 * in the pipe, and its bytes may then change. Rejects with the error of the chunks; a program that ends without
 * reading all is no error here.
 */
export async function feedPipe(chunks: AsyncIterable<Buffer>, pipe: Writable): Promise<void> {
  // A write tells of it as well.
  pipe.on("error", () => {});
  try {
    for await (const chunk of chunks) {
      if (!(await isWritten(chunk, pipe))) return;
    }
    pipe.end();
  } catch (error) {
    pipe.destroy();
    throw error;
  }
}

/** False where nobody reads any more. */
function isWritten(chunk: Buffer, pipe: Writable): Promise<boolean> {
  return new Promise((resolve) => {
    pipe.write(chunk, (error) => resolve(!error));
  });
}
