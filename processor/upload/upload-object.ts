import type { ClaimedJob } from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import { JobFailure, type FileLink, type MainFileFacts, type ReservedKey } from "../pipeline/job.ts";
import type { Bucket, StartedUpload } from "./bucket.ts";
import type { ObjectBody, OutgoingPart } from "./object-body.ts";
import { sendParts } from "./send-parts.ts";
import { KeyTaken } from "./storage-error.ts";
import { isFileOf, objectHeaders, type ObjectHeaders, type StoredObject } from "./stored-object.ts";

/** How many names may be taken before the job gives up. */
const namesMax = 100;
/** Time limit for aborting a failed upload; not tied to the job's own signal. */
const abortTimeMs = 30_000;
/** How long a cancelled job still waits for the id of an upload it has started, without which nobody can abort it. */
const lateNameMs = 5_000;

export interface ObjectUpload {
  readonly job: ClaimedJob;
  readonly bucket: Bucket;
  readonly link: FileLink;
  /**
   * Opens the object's content from the beginning. Called once for each name that is tried. The signal is aborted when
   * the content is no longer needed.
   */
  readonly open: (signal: AbortSignal) => ObjectBody;
  readonly title: string | null;
  /** Without the leading dot. */
  readonly extension: string;
  readonly contentType: string;
  readonly signal: AbortSignal;
  /** Called with the number of bytes uploaded since the last call. */
  readonly onBytes: (bytes: number) => void;
  readonly log: Log;
}

/**
 * Uploads an object under the first of its names that is free, while its content is still being produced, and resolves
 * once the stored object is verified. The edge must agree before the object can appear. If this rejects, no parts are
 * left in storage, except those of an object that appeared nevertheless. Rejects with JobFailure `storage_error` when
 * every name is taken, and as the bucket, the link and the body do.
 *
 * This does not use a library for multipart uploads, because the edge is asked between the last part and the
 * completion, a cancelled upload must be aborted before its job ends, and files that are still being written yield
 * their parts out of order.
 */
export async function uploadObject(request: ObjectUpload): Promise<ReservedKey> {
  const { link, title, extension } = request;
  let taken: string | null = null;
  for (let name = 0; name < namesMax; name += 1) {
    const key = await link.reserveKey({ title, extension, taken });
    if (await storeUnder(request, key)) return key;
    taken = key.storageKey;
  }
  throw new JobFailure("storage_error", "every name for the file is taken");
}

/** False if the key holds any other object. */
async function storeUnder(request: ObjectUpload, key: ReservedKey): Promise<boolean> {
  const { bucket, job, signal } = request;
  // Not every storage honours If-None-Match, and a large file should not be uploaded for nothing.
  const inPlace = await bucket.lookUp(key.objectKey, signal);
  if (inPlace !== null && inPlace.jobId !== job.job_id) return false;

  const stopped = new AbortController();
  const stop = (error: unknown) => stopped.abort(error);
  const shared = AbortSignal.any([signal, stopped.signal]);
  const body = request.open(shared);
  const parts = body.parts[Symbol.asyncIterator]();
  try {
    return await (inPlace === null
      ? write({ ...request, signal: shared }, key, body, parts, stop)
      : isInPlace(request, inPlace, body, parts));
  } catch (error) {
    if (error instanceof KeyTaken) return false;
    throw error;
  } finally {
    stop(new Error("the object is stored or given up"));
    await parts.return?.();
  }
}

type Parts = AsyncIterator<OutgoingPart, unknown, undefined>;

/** Whether the object that another attempt of this job stored is the complete file. */
async function isInPlace(
  { job, link }: ObjectUpload,
  inPlace: StoredObject,
  body: ObjectBody,
  parts: Parts,
): Promise<boolean> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) next.value.release();
  const facts = await body.facts();
  if (!isFileOf(inPlace, job.job_id, facts.file_size)) return false;
  await link.publish(facts);
  return true;
}

async function write(
  request: ObjectUpload,
  key: ReservedKey,
  body: ObjectBody,
  parts: Parts,
  stop: (error: unknown) => void,
): Promise<boolean> {
  const { bucket, job, signal } = request;
  const { objectKey } = key;
  const headers = objectHeaders(job, key.storageKey, request.contentType);
  const first = await parts.next();
  if (first.done === true) throw new JobFailure("invalid_media", "there is no media");
  const published: { facts: MainFileFacts | null } = { facts: null };
  const publish = async () => {
    const facts = await body.facts();
    await request.link.publish(facts);
    published.facts = facts;
  };
  const isThere = async () => {
    const object = await bucket.lookUp(objectKey, signal);
    return published.facts !== null && isFileOf(object, job.job_id, published.facts.file_size);
  };

  try {
    await (first.value.isWhole
      ? putWhole(request, objectKey, headers, first.value, publish)
      : putInParts(request, objectKey, headers, startingWith(first.value, parts), publish, stop));
  } catch (error) {
    signal.throwIfAborted();
    // The response to a successful request can be lost; its retry then fails because the object exists.
    if (published.facts !== null && (await isThere())) return true;
    throw error;
  }
  if (await isThere()) return true;
  throw new JobFailure("storage_error", "storage holds another file than was sent");
}

/** Puts an item that was already taken back in front of the iterator. */
function startingWith(first: OutgoingPart, rest: Parts): Parts {
  let isTaken = false;
  return {
    next() {
      if (isTaken) return rest.next();
      isTaken = true;
      return Promise.resolve({ done: false, value: first });
    },
  };
}

async function putWhole(
  { bucket, signal, onBytes }: ObjectUpload,
  objectKey: string,
  headers: ObjectHeaders,
  part: OutgoingPart,
  publish: () => Promise<void>,
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

async function putInParts(
  request: ObjectUpload,
  objectKey: string,
  headers: ObjectHeaders,
  parts: Parts,
  publish: () => Promise<void>,
  stop: (error: unknown) => void,
): Promise<void> {
  const { bucket, link, signal, onBytes } = request;
  const upload = await startUpload(request, objectKey, headers);
  try {
    signal.throwIfAborted();
    await link.uploadStarted(upload.uploadId);
    const finished = await sendParts({ bucket, upload, parts, signal, stop, onBytes });
    await publish();
    await bucket.completeUpload(upload, finished, signal);
  } catch (error) {
    await abandon(request, upload);
    throw error;
  }
}

async function startUpload(
  { bucket, signal }: ObjectUpload,
  objectKey: string,
  headers: ObjectHeaders,
): Promise<StartedUpload> {
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

/** If aborting fails, the next attempt or the bucket's lifecycle rule for incomplete uploads cleans up. */
async function abandon({ bucket, log }: ObjectUpload, upload: StartedUpload): Promise<void> {
  try {
    await bucket.abortUpload(upload, AbortSignal.timeout(abortTimeMs));
  } catch (error) {
    log.warn({ err: error }, "an upload could not be aborted");
  }
}
