import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import { applyChanges, type ChangeOutcome } from "./apply-changes.ts";

/**
 * Ends an account's jobs as cancelled; with `cancel_queued`, only those that no node has. Nodes are told to stop the
 * others in the answer to their next heartbeat. Outcomes are in the order of `jobIds`: `changed`, `refused` or
 * `missing`.
 */
export async function cancelJobs(
  dependencies: Dependencies,
  accountId: string,
  jobIds: readonly string[],
  type: "cancel" | "cancel_queued",
): Promise<ChangeOutcome[]> {
  const changes = jobIds.map((jobId) => ({ accountId, jobId, event: { type } }));
  const outcomes = await applyChanges(dependencies, changes);
  const dead = jobIds.flatMap((jobId, index) => {
    const { kind, before } = outcomes[index] ?? {};
    if (kind !== "changed" || before?.status !== "Processing") return [];
    return [{ account_id: accountId, job_id: jobId, claim: before.claim }];
  });
  if (dead.length > 0) {
    try {
      await dependencies.registry.noteDead(dead);
    } catch (error) {
      // The sweep will also tell the nodes, some seconds later.
      dependencies.log.warn("The registry could not be notified of cancelled jobs", errorFields(error));
    }
  }
  return outcomes;
}
