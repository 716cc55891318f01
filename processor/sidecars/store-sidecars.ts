import { readFile } from "node:fs/promises";
import { sidecarKey } from "../../contracts/sidecar-key.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import { JobFailure, type ReservedKey } from "../pipeline/job.ts";
import type { Bucket } from "../upload/bucket.ts";
import { KeyTaken } from "../upload/storage-error.ts";
import { objectHeaders } from "../upload/stored-object.ts";
import type { LocalSidecar } from "./collect-sidecars.ts";

const contentTypes = { subtitle: "text/vtt; charset=utf-8", thumbnail: "image/jpeg" } as const;

/**
 * Puts the sidecars of a file into storage beside it, once the edge has been asked to publish: it deletes them should
 * the job fail from here on. What an earlier attempt at the job left under a key is replaced. Rejects with JobFailure
 * `storage_error`, also where a key has become somebody else's since it was looked at.
 */
export async function storeSidecars(
  sidecars: readonly LocalSidecar[],
  key: ReservedKey,
  { job, bucket, signal }: { job: ClaimedJob; bucket: Bucket; signal: AbortSignal },
): Promise<void> {
  for (const { kind, suffix, path } of sidecars) {
    const objectKey = sidecarKey(key.objectKey, suffix);
    const headers = objectHeaders(job, sidecarKey(key.storageKey, suffix), contentTypes[kind]);
    const body = await readFile(path);
    const inPlace = await bucket.lookUp(objectKey, signal);
    if (inPlace?.jobId === job.job_id) {
      await bucket.replace(objectKey, body, headers, signal);
      continue;
    }
    try {
      await bucket.put(objectKey, body, headers, signal);
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
      // The answer to a request that was carried out can be lost, and its repetition is refused.
      const object = await bucket.lookUp(objectKey, signal);
      if (object?.jobId === job.job_id) continue;
      throw new JobFailure("storage_error", "another file took a subtitle's or thumbnail's name", {
        cause: error,
      });
    }
  }
}

/** True where no key of the sidecars holds an object of somebody else. */
export async function areKeysFree(
  suffixes: readonly string[],
  key: ReservedKey,
  { job, bucket, signal }: { job: ClaimedJob; bucket: Bucket; signal: AbortSignal },
): Promise<boolean> {
  const objects = await Promise.all(
    suffixes.map((suffix) => bucket.lookUp(sidecarKey(key.objectKey, suffix), signal)),
  );
  return objects.every((object) => object === null || object.jobId === job.job_id);
}
