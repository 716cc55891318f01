import type { ClaimedJob } from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import { JobFailure, type FileLink, type MainFileFacts, type ReservedKey } from "../pipeline/job.ts";
import type { Bucket } from "./bucket.ts";
import type { ObjectBody } from "./object-body.ts";
import { type OutgoingObject, putObject } from "./put-object.ts";
import { KeyTaken } from "./storage-error.ts";
import { isFileOf, objectHeaders, type StoredObject } from "./stored-object.ts";

/** How many names may be taken before the job gives up. */
const namesMax = 100;

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

/** The upload under one of the names. `signal` is aborted by `stop` too. */
interface Attempt extends ObjectUpload, Pick<OutgoingObject, "parts" | "stop"> {
  readonly key: ReservedKey;
  readonly body: ObjectBody;
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
  const attempt: Attempt = { ...request, signal: shared, stop, key, body, parts };
  try {
    return await (inPlace === null ? write(attempt) : isInPlace(inPlace, attempt));
  } catch (error) {
    if (error instanceof KeyTaken) return false;
    throw error;
  } finally {
    stop(new Error("the object is stored or given up"));
    await parts.return?.();
  }
}

/** Whether the object that another attempt of this job stored is the complete file. */
async function isInPlace(inPlace: StoredObject, { job, link, body, parts }: Attempt): Promise<boolean> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) next.value.release();
  const facts = await body.facts();
  if (!isFileOf(inPlace, job.job_id, facts.file_size)) return false;
  await link.publish(facts);
  return true;
}

async function write(attempt: Attempt): Promise<boolean> {
  const { bucket, job, link, key, body, contentType, signal } = attempt;
  const { objectKey, storageKey } = key;
  const published: { facts: MainFileFacts | null } = { facts: null };
  const publish = async () => {
    const facts = await body.facts();
    await link.publish(facts);
    published.facts = facts;
  };
  const isThere = async () => {
    const object = await bucket.lookUp(objectKey, signal);
    return published.facts !== null && isFileOf(object, job.job_id, published.facts.file_size);
  };

  const headers = objectHeaders(job, storageKey, contentType);
  try {
    await putObject({ ...attempt, objectKey, headers, publish });
  } catch (error) {
    signal.throwIfAborted();
    // The response to a successful request can be lost; its retry then fails because the object exists.
    if (published.facts !== null && (await isThere())) return true;
    throw error;
  }
  if (await isThere()) return true;
  throw new JobFailure("storage_error", "storage holds another file than was sent");
}
