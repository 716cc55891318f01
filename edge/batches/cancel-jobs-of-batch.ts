import type { Dependencies } from "../dependencies.ts";
import { cancelJobs } from "../jobs/cancel-jobs.ts";
import { unfinishedJobs } from "./batch.store.ts";

const jobsAtOnce = 200;

/**
 * Ends every job of a batch that can still be cancelled; one that is just publishing its file completes. Answers how
 * many it ended, or null when the account has no such batch.
 */
export async function cancelJobsOfBatch(
  dependencies: Dependencies,
  accountId: string,
  batchId: string,
): Promise<number | null> {
  const jobIds = await unfinishedJobs(dependencies.database, accountId, batchId);
  if (jobIds === null) return null;
  let cancelled = 0;
  for (let start = 0; start < jobIds.length; start += jobsAtOnce) {
    const some = jobIds.slice(start, start + jobsAtOnce);
    const outcomes = await cancelJobs(dependencies, accountId, some, "cancel");
    cancelled += outcomes.filter(({ kind }) => kind === "changed").length;
  }
  return cancelled;
}
