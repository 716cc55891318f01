import { askBucket, type BucketAsker, isDeleted } from "./ask-bucket.ts";
import type { JobStorage } from "./job-storage.ts";
import { deletionRefused, storageUnreachable } from "./storage-errors.ts";

/**
 * Deletes a job's files from storage; ones already gone are fine. The main file goes first: if storage refuses to
 * delete it, nothing is changed. Throws the ApiError of a custom bucket that refuses or does not answer; the managed
 * one never should.
 */
export async function deleteFiles(
  around: BucketAsker,
  storage: JobStorage,
  main: string,
  others: readonly string[],
): Promise<void> {
  await deleteFile(around, storage, main);
  await Promise.all(others.map((storageKey) => deleteFile(around, storage, storageKey)));
}

async function deleteFile(
  around: BucketAsker,
  { access, objectKey, isManaged }: JobStorage,
  storageKey: string,
): Promise<void> {
  const answer = await askBucket(around, access, { method: "DELETE", objectKey: objectKey(storageKey) });
  if (isDeleted(answer)) return;
  if (isManaged) throw new Error(`Managed storage refused a deletion: ${answer.problem}`);
  throw answer.status === null ? storageUnreachable() : deletionRefused();
}
