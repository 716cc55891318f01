import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import { askBucket, isDeleted } from "./ask-bucket.ts";
import { openJobStorage } from "./job-storage.ts";
import { findLeftFiles, forgetLeftFiles, type LeftFile, postponeLeftFiles } from "./left-files.store.ts";

type Surroundings = Pick<Dependencies, "database" | "clock" | "fetch" | "settings" | "log">;

const retryAfterMs = 10 * 60 * 1000;
/** A bucket that refuses for this long keeps the file. */
const giveUpAfterMs = 24 * 60 * 60 * 1000;
/**
 * An object that is gone is looked for once more, this much later: a node that was frozen between the edge's leave to
 * publish and its request sends that when it goes on.
 */
const lastLookAfterMs = 20 * 60 * 1000;

/**
 * Deletes some of the objects that no job shows, and that are due. One that another wrote under the same key stays.
 * Answers whether others are due soon, so that the next sweep is needed.
 */
export async function deleteLeftFiles(around: Surroundings): Promise<{ moreLeft: boolean }> {
  const { clock, log } = around;
  const found = await findLeftFiles(around);
  const now = clock();
  const due = found.filter(({ tryAt }) => tryAt <= now);
  if (due.length === 0) return { moreLeft: found.length > 0 };

  const areGone = await Promise.all(due.map((file) => deleteOwnObject(around, file)));
  const kept = due.filter((_, index) => areGone[index] === false);
  const givenUp = kept.filter(({ leftAt }) => now - leftAt >= giveUpAfterMs);
  for (const { accountId, jobId } of givenUp)
    log.warn("A left file stays in storage", { account_id: accountId, job_id: jobId });
  const gone = due.filter((_, index) => areGone[index] === true);
  const isLastLook = ({ leftAt }: LeftFile) => now - leftAt >= lastLookAfterMs;
  await forgetLeftFiles(around, [...gone.filter(isLastLook), ...givenUp]);
  await postponeLeftFiles(
    around,
    gone.filter((file) => !isLastLook(file)),
    now + lastLookAfterMs,
  );
  await postponeLeftFiles(
    around,
    kept.filter((file) => !givenUp.includes(file)),
    now + retryAfterMs,
  );
  return { moreLeft: true };
}

/** True when the bucket holds no object of the job under the key any more. */
async function deleteOwnObject(around: Surroundings, file: LeftFile): Promise<boolean> {
  try {
    const { access, objectKey } = await openJobStorage(file.location, file, around.settings);
    const place = { objectKey: objectKey(file.storageKey) };
    const found = await askBucket(around, access, { method: "HEAD", ...place });
    if (!found.ok) return found.status === 404;
    if (found.headers.get("x-amz-meta-job") !== file.jobId) return true;
    return isDeleted(await askBucket(around, access, { method: "DELETE", ...place }));
  } catch (error) {
    around.log.warn("A left file could not be deleted", { job_id: file.jobId, ...errorFields(error) });
    return false;
  }
}
