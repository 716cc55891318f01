import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import { askBucket, type BucketRequest, isDeleted } from "./ask-bucket.ts";
import { openJobStorage } from "./job-storage.ts";
import { deleteObjects } from "./delete-objects.ts";
import {
  filesAtOnce,
  findLeftFiles,
  forgetLeftFiles,
  type LeftFile,
  postponeLeftFiles,
} from "./left-files.store.ts";
import { objectKeyOf } from "./object-key.ts";

type Surroundings = Pick<Dependencies, "database" | "clock" | "fetch" | "settings" | "log">;

const retryAfterMs = 10 * 60 * 1000;
/** After a bucket has refused for this long, the file stays there. */
const giveUpAfterMs = 24 * 60 * 60 * 1000;
/**
 * An object that is gone is checked for once more after this time: a node that was frozen between the edge's permission
 * to publish and its request sends that request when it resumes.
 */
export const lastLookAfterMs = 20 * 60 * 1000;
/** The connections a Worker may have at a time, minus one for the database. */
const connections = 5;
/** Files that need requests of their own, in one sweep. */
const singlesAtOnce = 20;

/**
 * Deletes the due objects that no job shows, and aborts their uploads: those of managed storage with one request if it
 * knows that, some of the others one by one. An object that someone else wrote under the same key stays. `timeLimit` is called when there is
 * something to do; once its signal aborts, buckets that have not answered yet count as refusing, and files not asked
 * about stay due. Returns whether others are due soon, so that another sweep is needed.
 */
export async function deleteLeftFiles(
  around: Surroundings,
  timeLimit: () => AbortSignal,
): Promise<{ moreLeft: boolean }> {
  const { clock, log } = around;
  const found = await findLeftFiles(around);
  const now = clock();
  const due = found.filter(({ tryAt }) => tryAt <= now);
  if (due.length === 0) return { moreLeft: found.length > 0 };

  const until = timeLimit();
  const areGone = new Map<LeftFile, boolean>();
  // In managed storage only the job itself writes under its key.
  const isManagedObject = ({ location, uploadId }: LeftFile) => location === null && uploadId === null;
  const managed = due.filter(isManagedObject);
  const gone = await deleteManaged(around, managed, until);
  if (gone !== null) for (const file of managed) areGone.set(file, gone.has(file));
  const queue = due
    .filter((file) => gone === null || !isManagedObject(file))
    .slice(0, singlesAtOnce)
    .values();
  const workThrough = async () => {
    for (const file of queue) {
      if (until.aborted) return;
      areGone.set(file, await cleanUp(around, file, until));
    }
  };
  await Promise.all(Array.from({ length: connections }, workThrough));
  const kept = due.filter((file) => areGone.get(file) === false);
  const givenUp = kept.filter(({ leftAt }) => now - leftAt >= giveUpAfterMs);
  for (const { accountId, jobId } of givenUp)
    log.warn("An orphaned file stays in storage", { account_id: accountId, job_id: jobId });
  const deleted = due.filter((file) => areGone.get(file) === true);
  const isLastLook = ({ leftAt }: LeftFile) => now - leftAt >= lastLookAfterMs;
  await forgetLeftFiles(around, [...deleted.filter(isLastLook), ...givenUp]);
  await postponeLeftFiles(
    around,
    deleted.filter((file) => !isLastLook(file)),
    now + lastLookAfterMs,
  );
  await postponeLeftFiles(
    around,
    kept.filter((file) => !givenUp.includes(file)),
    now + retryAfterMs,
  );
  const isAllDone = found.every((file) => areGone.get(file) === true && isLastLook(file));
  return { moreLeft: !isAllDone || found.length >= filesAtOnce };
}

/** Those of the files in managed storage that are gone; null if they have to be deleted one by one. */
async function deleteManaged(
  around: Surroundings,
  files: readonly LeftFile[],
  until: AbortSignal,
): Promise<Set<LeftFile> | null> {
  if (files.length === 0) return new Set();
  const keyOf = (file: LeftFile) => objectKeyOf({ isManaged: true }, file, file.storageKey);
  const gone = await deleteObjects(around, around.settings.managedStorage, files.map(keyOf), until);
  return gone && new Set(files.filter((file) => gone.has(keyOf(file))));
}

/** True if the bucket no longer has the upload, nor an object of the job under the key. */
async function cleanUp(around: Surroundings, file: LeftFile, until: AbortSignal): Promise<boolean> {
  const { jobId, uploadId } = file;
  try {
    const { access, objectKey } = await openJobStorage(file.location, file, around.settings);
    const ask = (request: Omit<BucketRequest, "objectKey" | "until">) =>
      askBucket(around, access, { ...request, objectKey: objectKey(file.storageKey), until });
    // First, so that a later completion is refused and makes nothing appear.
    if (uploadId !== null && !isDeleted(await ask({ method: "DELETE", uploadId }))) return false;
    const found = await ask({ method: "HEAD" });
    if (!found.ok) return found.status === 404;
    if (found.headers.get("x-amz-meta-job") !== jobId) return true;
    return isDeleted(await ask({ method: "DELETE" }));
  } catch (error) {
    around.log.warn("An orphaned file could not be deleted", { job_id: jobId, ...errorFields(error) });
    return false;
  }
}
