import type { Bucket, FinishedPart, StartedUpload } from "./bucket.ts";
import type { OutgoingPart } from "./object-body.ts";

/** Concurrent part uploads per object. */
const partsAtOnce = 4;

export interface PartsUpload {
  readonly bucket: Bucket;
  readonly upload: StartedUpload;
  readonly parts: AsyncIterator<OutgoingPart, unknown, undefined>;
  readonly signal: AbortSignal;
  /** Called with each error; must abort `signal` and stop whatever produces the parts. */
  readonly stop: (error: unknown) => void;
  /** Called with the size of each uploaded part. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Uploads parts as they become available, several concurrently; the next is requested only when one has arrived. By the
 * time this settles no request is in flight, so aborting the upload frees everything. Rejects with the signal's reason.
 */
export async function sendParts(request: PartsUpload): Promise<FinishedPart[]> {
  const { bucket, upload, parts, signal, stop, onBytes } = request;
  const finished = new Map<number, FinishedPart>();

  async function sendWaiting(): Promise<void> {
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
      const part = next.value;
      try {
        signal.throwIfAborted();
        finished.set(part.number, await bucket.putPart(upload, part.number, await part.load(), signal));
      } finally {
        part.release();
      }
      onBytes(part.bytes);
    }
  }

  await Promise.all(Array.from({ length: partsAtOnce }, () => sendWaiting().catch(stop)));
  signal.throwIfAborted();
  return [...finished.values()].sort((a, b) => a.number - b.number);
}
