import { Readable } from "node:stream";
import { createSourcePace } from "../network/source-pace.ts";

/** The beginning of a stream, and a stream of the whole, from its first byte. */
export interface Peeked {
  readonly head: Buffer;
  readonly body: Readable;
}

/** Reads the first `bytes` of a stream, or all there are. Rejects with the stream's error. */
export function peek(stream: Readable, bytes: number): Promise<Peeked> {
  return peekUntil(stream, (length) => length >= bytes);
}

/**
 * Reads a stream until `isEnough` is satisfied, or to its end. It is asked after each piece, and `head` joins what has
 * arrived so far. Rejects with the stream's error, or with SourceTooSlow. `now` is monotonic, in milliseconds.
 */
export async function peekUntil(
  stream: Readable,
  isEnough: (length: number, head: () => Buffer) => boolean,
  now = () => performance.now(),
): Promise<Peeked> {
  const chunks: Buffer[] = [];
  let length = 0;
  const pace = createSourcePace();
  let sinceMs = now();
  const iterator = stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of iterator) {
      chunks.push(chunk);
      length += chunk.length;
      if (isEnough(length, () => Buffer.concat(chunks))) break;
      pace.came(chunk.length);
      pace.waited(now() - sinceMs);
      sinceMs = now();
    }
  } catch (error) {
    stream.destroy();
    throw error;
  }
  const head = Buffer.concat(chunks);
  // Nothing can be put back into a stream that has ended.
  if (stream.readableEnded) return { head, body: Readable.from(head) };
  stream.unshift(head);
  return { head, body: stream };
}
