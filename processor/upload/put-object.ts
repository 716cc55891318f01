import type { Log } from "../log.ts";
import { JobFailure, type FileLink } from "../pipeline/job.ts";
import type { Bucket, StartedUpload } from "./bucket.ts";
import type { OutgoingPart } from "./object-body.ts";
import { sendParts } from "./send-parts.ts";
import type { ObjectHeaders } from "./stored-object.ts";

/** Time limit for aborting a failed upload; not tied to the job's own signal. */
const abortTimeMs = 30_000;
/** How long a cancelled job still waits for the id of an upload it has started, without which nobody can abort it. */
const lateNameMs = 5_000;

/** An object on its way to the key that it was given. */
export interface OutgoingObject {
  readonly bucket: Bucket;
  readonly objectKey: string;
  readonly headers: ObjectHeaders;
  readonly parts: AsyncIterator<OutgoingPart, unknown, undefined>;
  /** Told the id of a multipart upload before its first part is sent. */
  readonly link: Pick<FileLink, "uploadStarted">;
  /** Called when all parts have been yielded, before the object can appear; rejects if it must not. */
  readonly publish: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Aborts `signal` with an error. */
  readonly stop: (error: unknown) => void;
  /** Called with the number of bytes uploaded since the last call. */
  readonly onBytes: (bytes: number) => void;
  readonly log: Log;
}

/**
 * Puts an object into storage, in one request or as a multipart upload. If this rejects, no parts are left in storage,
 * except those of an object that appeared nevertheless. Rejects with JobFailure `invalid_media` if there are no parts,
 * and as the bucket, the link, the parts and `publish` do.
 *
 * This does not use a library for multipart uploads, because the edge is asked between the last part and the
 * completion, a cancelled upload must be aborted before its job ends, and files that are still being written yield
 * their parts out of order.
 */
export async function putObject(object: OutgoingObject): Promise<void> {
  const first = await object.parts.next();
  if (first.done === true) throw new JobFailure("invalid_media", "there is no media");
  await (first.value.isWhole
    ? putWhole(object, first.value)
    : putInParts({ ...object, parts: startingWith(first.value, object.parts) }));
}

async function putWhole(
  { bucket, objectKey, headers, publish, signal, onBytes }: OutgoingObject,
  part: OutgoingPart,
): Promise<void> {
  try {
    const body = await part.load();
    await publish();
    await bucket.put(objectKey, body, headers, signal);
  } finally {
    part.release();
  }
  onBytes(part.bytes);
}

async function putInParts(object: OutgoingObject): Promise<void> {
  const { bucket, link, publish, signal } = object;
  const upload = await startUpload(object);
  try {
    signal.throwIfAborted();
    await link.uploadStarted(upload.uploadId);
    const finished = await sendParts({ ...object, upload });
    await publish();
    await bucket.completeUpload(upload, finished, signal);
  } catch (error) {
    await abandon(object, upload);
    throw error;
  }
}

/** Puts an item that was already taken back in front of the iterator. */
function startingWith(first: OutgoingPart, rest: OutgoingObject["parts"]): OutgoingObject["parts"] {
  let isTaken = false;
  return {
    next() {
      if (isTaken) return rest.next();
      isTaken = true;
      return Promise.resolve({ done: false, value: first });
    },
  };
}

async function startUpload({ bucket, objectKey, headers, signal }: OutgoingObject): Promise<StartedUpload> {
  signal.throwIfAborted();
  const givenUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    timer = setTimeout(() => givenUp.abort(signal.reason), lateNameMs);
  };
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await bucket.startUpload(objectKey, headers, givenUp.signal);
  } finally {
    signal.removeEventListener("abort", giveUp);
    clearTimeout(timer);
  }
}

/** If aborting fails, whatever the attempt stores next begins with it; if it stores nothing, the edge sees to it. */
async function abandon({ bucket, log }: OutgoingObject, upload: StartedUpload): Promise<void> {
  try {
    await bucket.abortUpload(upload, AbortSignal.timeout(abortTimeMs));
  } catch (error) {
    log.warn({ err: error }, "an upload could not be aborted");
  }
}
