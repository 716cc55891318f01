import type { Task } from "../../contracts/task.ts";
import type { JobLink } from "../pipeline/job.ts";
import type { Bucket } from "./bucket.ts";
import { isFileOf } from "./stored-object.ts";

/**
 * Handles what a lost attempt at the job left in storage. Aborts its multipart upload, so that it cannot be completed
 * later. True if that attempt's file and all of its sidecars are completely stored and the edge accepted them: the job
 * is then finished. Rejects as the bucket and `publish` do.
 */
export async function adoptEarlierFile(
  { job_id, earlier }: Task,
  bucket: Bucket,
  link: Pick<JobLink, "publish">,
  signal: AbortSignal,
): Promise<boolean> {
  if (earlier === null) return false;
  const { storage_key: storageKey, object_key: objectKey, upload_id: uploadId, facts } = earlier;
  if (uploadId !== null) await bucket.abortUpload({ objectKey, uploadId }, signal);
  if (facts === null) return false;
  const prefix = objectKey.slice(0, -storageKey.length);
  const files = [{ storage_key: storageKey, bytes: facts.file_size }, ...facts.sidecars];
  for (const file of files) {
    const object = await bucket.lookUp(prefix + file.storage_key, signal);
    if (!isFileOf(object, job_id, file.bytes)) return false;
  }
  await link.publish(facts);
  return true;
}
