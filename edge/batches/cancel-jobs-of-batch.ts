import type { Dependencies } from "../dependencies.ts";
import { cancelJobs } from "../jobs/cancel-jobs.ts";
import { unfinishedJobs } from "./batch.store.ts";
import { cancelHeldBack } from "./cancel-held-back.store.ts";

/**
 * Ends every job of a batch that can still be cancelled; one that is just publishing its file completes. Those that are
 * held back go first, so that none follows the others, of which there are as many as may be in line or in work at a
 * time. Answers how many it ended, or null when the account has no such batch.
 */
export async function cancelJobsOfBatch(
  dependencies: Dependencies,
  accountId: string,
  batchId: string,
): Promise<number | null> {
  const heldBack = await cancelHeldBack(dependencies, accountId, batchId);
  const jobIds = await unfinishedJobs(dependencies.database, accountId, batchId);
  if (jobIds === null) return null;
  const outcomes = await cancelJobs(dependencies, accountId, jobIds, "cancel");
  return heldBack + outcomes.filter(({ kind }) => kind === "changed").length;
}
