import { readFile } from "node:fs/promises";
import type { FileFacts } from "../../contracts/file-facts.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import { JobFailure, type JobLink, type ReservedKey } from "../pipeline/job.ts";
import type { Bucket, StartedUpload } from "./bucket.ts";
import { fitsOneRequest, partsOf } from "./part-plan.ts";
import { KeyTaken } from "./storage-error.ts";
import { isFileOf, objectHeaders, type ObjectHeaders } from "./stored-object.ts";
import { uploadParts } from "./upload-parts.ts";

/** Names that may turn out to be taken by others before the job gives up. */
const namesMax = 100;
/** An upload that came to nothing is aborted within this time, also when the job itself is over. */
const abortTimeMs = 30_000;

export interface FileUpload {
  readonly job: ClaimedJob;
  readonly bucket: Bucket;
  readonly link: Pick<JobLink, "reserveKey" | "uploadStarted" | "publish">;
  readonly path: string;
  readonly facts: FileFacts;
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
 * Brings the file to storage under the first of its names that nobody else uses, and has looked at it there when it
 * resolves. The edge is asked before the object can appear; when this rejects, no part of it is left behind, but for
 * an object that appeared after all.
 *
 * The multipart requests are made here and not by a library, because the question to the edge stands between the
 * last part and the completion, a cancelled upload has to be gone before its job is, and parts are to come in any
 * order once files are uploaded while they are written.
 */
export async function uploadFile(request: FileUpload): Promise<ReservedKey> {
  const { link, title, extension } = request;
  let taken: string | null = null;
  for (let name = 0; name < namesMax; name += 1) {
    const key = await link.reserveKey({ title, extension, taken, sidecars: [] });
    if (await storeUnder(request, key)) return key;
    taken = key.storageKey;
  }
  throw new JobFailure("storage_error", "every name for the file is taken");
}

/** False when the key is somebody else's. */
async function storeUnder(request: FileUpload, key: ReservedKey): Promise<boolean> {
  const { bucket, link, job, facts, signal, contentType } = request;
  // Not every storage honours If-None-Match, and a large file is not to be sent in vain.
  const inPlace = await bucket.lookUp(key.objectKey, signal);
  if (isFileOf(inPlace, job.job_id, facts.file_size)) {
    await link.publish(facts);
    return true;
  }
  if (inPlace !== null) return false;

  const headers = objectHeaders(job, key.storageKey, contentType);
  try {
    await write(request, key.objectKey, headers);
  } catch (error) {
    signal.throwIfAborted();
    // The answer to a request that was carried out can be lost, and its repetition is refused.
    const object = await bucket.lookUp(key.objectKey, signal);
    if (isFileOf(object, job.job_id, facts.file_size)) return true;
    if (error instanceof KeyTaken) return false;
    throw error;
  }
  const object = await bucket.lookUp(key.objectKey, signal);
  if (isFileOf(object, job.job_id, facts.file_size)) return true;
  throw new JobFailure("storage_error", "storage holds another file than was sent");
}

async function write(request: FileUpload, objectKey: string, headers: ObjectHeaders): Promise<void> {
  const { bucket, link, path, facts, signal, onBytes } = request;
  if (!fitsOneRequest(facts.file_size)) return writeInParts(request, objectKey, headers);
  const body = await readFile(path);
  await link.publish(facts);
  await bucket.put(objectKey, body, headers, signal);
  onBytes(facts.file_size);
}

async function writeInParts(request: FileUpload, objectKey: string, headers: ObjectHeaders): Promise<void> {
  const { bucket, link, path, facts, signal, onBytes } = request;
  const upload = await bucket.startUpload(objectKey, headers, signal);
  try {
    await link.uploadStarted(upload.uploadId);
    const parts = await uploadParts({
      bucket,
      upload,
      path,
      parts: partsOf(facts.file_size),
      signal,
      onBytes,
    });
    await link.publish(facts);
    await bucket.completeUpload(upload, parts, signal);
  } catch (error) {
    await abandon(request, upload);
    throw error;
  }
}

/** An abort that fails is left to the next attempt and to the bucket's own rule for stray uploads. */
async function abandon({ bucket, log }: FileUpload, upload: StartedUpload): Promise<void> {
  try {
    await bucket.abortUpload(upload, AbortSignal.timeout(abortTimeMs));
  } catch (error) {
    log.warn({ err: error }, "an upload could not be aborted");
  }
}
