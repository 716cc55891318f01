import type { Bucket, FinishedPart, StartedUpload } from "./bucket.ts";
import type { OutgoingPart } from "./object-body.ts";

/** Parts of one object on their way at once. */
const partsAtOnce = 4;

export interface PartsUpload {
  readonly bucket: Bucket;
  readonly upload: StartedUpload;
  readonly parts: AsyncIterator<OutgoingPart, unknown, undefined>;
  readonly signal: AbortSignal;
  /** Told of the first failure: what makes the parts has to stop. */
  readonly stop: (error: unknown) => void;
  /** Called with the size of each part that has arrived. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Sends parts as they come, several at once; a next one is asked for when one of them has arrived. When this settles
 * no request is under way any more, so that an abort of the upload frees everything. Rejects with what was stopped for.
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
