import { open, type FileHandle } from "node:fs/promises";
import { allOrNone } from "../pipeline/all-or-none.ts";
import type { Bucket, FinishedPart, StartedUpload } from "./bucket.ts";
import type { Part } from "./part-plan.ts";

/** Parts of one file on their way at once: each is held in memory while it is sent. */
const partsAtOnce = 4;

export interface PartsUpload {
  readonly bucket: Bucket;
  readonly upload: StartedUpload;
  readonly path: string;
  readonly parts: readonly Part[];
  readonly signal: AbortSignal;
  /** Called with the size of each part that has arrived. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Sends the parts of a file, several at once, each read when it is sent. The first that fails stops the others;
 * when this rejects no request is under way any more, so that an abort of the upload frees everything.
 */
export async function uploadParts(request: PartsUpload): Promise<FinishedPart[]> {
  const waiting = request.parts.values();

  async function sendWaiting(file: FileHandle, signal: AbortSignal): Promise<FinishedPart[]> {
    const finished: FinishedPart[] = [];
    for (const part of waiting) {
      signal.throwIfAborted();
      const body = await readPart(file, part);
      finished.push(await request.bucket.putPart(request.upload, part.number, body, signal));
      request.onBytes(part.bytes);
    }
    return finished;
  }

  const file = await open(request.path);
  try {
    const senders = Array.from(
      { length: partsAtOnce },
      () => (signal: AbortSignal) => sendWaiting(file, signal),
    );
    const finished = await allOrNone(request.signal, senders);
    return finished.flat().sort((a, b) => a.number - b.number);
  } finally {
    await file.close();
  }
}

async function readPart(file: FileHandle, { offset, bytes }: Part): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, offset);
  if (bytesRead !== bytes) throw new Error("the file became shorter while it was uploaded");
  return buffer;
}
