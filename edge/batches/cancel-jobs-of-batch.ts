import type { Dependencies } from "../dependencies.ts";
import { cancelJobs } from "../jobs/cancel-jobs.ts";
import { unfinishedJobs } from "./batch.store.ts";
import { cancelHeldBack } from "./cancel-held-back.store.ts";

/**
 * Cancels every job of a batch that can still be cancelled; one that is already publishing its file completes.
 * Held-back jobs go first, so that none takes the place of the queued or running ones, whose number is limited. Returns
 * how many it ended, or null if the account has no such batch.
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
