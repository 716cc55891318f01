import type { Writable } from "node:stream";

/**
 * Writes chunks to a pipe as fast as a program reads it. The next chunk is requested once the last one is in the pipe,
 * so its bytes may change then. Rejects with the error of the chunks; a program that ends without reading everything is
 * not an error here.
 */
export async function feedPipe(chunks: AsyncIterable<Buffer>, pipe: Writable): Promise<void> {
  // Each write reports it as well.
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

/** False if nobody is reading any more. */
function isWritten(chunk: Buffer, pipe: Writable): Promise<boolean> {
  return new Promise((resolve) => {
    pipe.write(chunk, (error) => resolve(!error));
  });
}
