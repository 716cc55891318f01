import type { ClaimedJob } from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import { JobFailure, type FileLink, type MainFileFacts, type ReservedKey } from "../pipeline/job.ts";
import type { Bucket, StartedUpload } from "./bucket.ts";
import type { ObjectBody, OutgoingPart } from "./object-body.ts";
import { sendParts } from "./send-parts.ts";
import { KeyTaken } from "./storage-error.ts";
import { isFileOf, objectHeaders, type ObjectHeaders, type StoredObject } from "./stored-object.ts";

/** Names that may turn out to be taken by others before the job gives up. */
const namesMax = 100;
/** An upload that came to nothing is aborted within this time, also when the job itself is over. */
const abortTimeMs = 30_000;
/** So long the name of an upload is waited for that nobody wants any more: without it nobody can abort it. */
const lateNameMs = 5_000;

export interface ObjectUpload {
  readonly job: ClaimedJob;
  readonly bucket: Bucket;
  readonly link: FileLink;
  /**
   * The object's bytes from the beginning. Called once for each name that is tried; the signal is aborted when
   * nobody wants them any more.
   */
  readonly open: (signal: AbortSignal) => ObjectBody;
  readonly title: string | null;
  /** Without a dot. */
  readonly extension: string;
  readonly contentType: string;
  readonly signal: AbortSignal;
  /** Called with the bytes that have arrived since the last call. */
  readonly onBytes: (bytes: number) => void;
  readonly log: Log;
}

/**
 * Brings an object to storage under the first of its names that nobody else uses, while its bytes come, and has
 * looked at it there when it resolves. The edge is asked before the object can appear; when this rejects, no part of
 * it is left behind, but for an object that appeared after all.
 *
 * The multipart requests are made here and not by a library, because the question to the edge stands between the
 * last part and the completion, a cancelled upload has to be gone before its job is, and parts come in any order
 * from files that are still being written.
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

/** False when the key is somebody else's. */
async function storeUnder(request: ObjectUpload, key: ReservedKey): Promise<boolean> {
  const { bucket, job, signal } = request;
  // Not every storage honours If-None-Match, and a large file is not to be sent in vain.
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

/** True where what an attempt of this very job has put there turns out to be the whole file. */
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
    // The answer to a request that was carried out can be lost, and its repetition is refused.
    if (published.facts !== null && (await isThere())) return true;
    throw error;
  }
  if (await isThere()) return true;
  throw new JobFailure("storage_error", "storage holds another file than was sent");
}

/** An iterator over what is left, with what was taken from it in front. */
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

/** An abort that fails is left to the next attempt and to the bucket's own rule for stray uploads. */
async function abandon({ bucket, log }: ObjectUpload, upload: StartedUpload): Promise<void> {
  try {
    await bucket.abortUpload(upload, AbortSignal.timeout(abortTimeMs));
  } catch (error) {
    log.warn({ err: error }, "an upload could not be aborted");
  }
}
