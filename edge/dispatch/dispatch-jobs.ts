import type { Task } from "../../contracts/task.ts";
import type { GrantResult, SlotGrant } from "../cluster/node-slots.ts";
import { wakeForDueJobs } from "../containers/wake-for-due-jobs.ts";
import type { Dependencies } from "../dependencies.ts";
import { applyChanges } from "../jobs/apply-changes.ts";
import { errorFields } from "../log.ts";
import { buildTasks } from "./build-tasks.ts";
import { claimJobs } from "./claim-jobs.store.ts";

/** Assigns due jobs to free slots until either runs out. Safe to run at any time, also concurrently. */
export async function dispatchJobs(dependencies: Dependencies): Promise<void> {
  for (;;) {
    const grants = await dependencies.registry.grantSlots();
    if (grants.length === 0) return wakeForDueJobs(dependencies);
    const claimed = await claimJobs(dependencies, grants);
    const deliveries = await Promise.allSettled(
      grants.map(async (grant, index) => {
        await deliver(dependencies, grant, await buildTasks(dependencies, claimed[index] ?? []));
      }),
    );
    // A failed delivery does not stop the others; the wake-up is retried, and the sweep requeues what is left claimed.
    for (const delivery of deliveries) if (delivery.status === "rejected") throw delivery.reason;
    const slots = grants.reduce((sum, grant) => sum + grant.slots, 0);
    // Slots may be left although jobs are due: those kept for accounts that hold none.
    if (claimed.flat().length < slots) return wakeForDueJobs(dependencies);
  }
}

/**
 * Sends a node its tasks. What it refuses is requeued, and its claim is never used again. What it does not answer for,
 * it may have taken, and may have died of: that stays claimed until the sweep sees the node list it, live without it,
 * or get lost.
 */
async function deliver(dependencies: Dependencies, grant: SlotGrant, tasks: readonly Task[]): Promise<void> {
  const { processors, log } = dependencies;
  if (tasks.length === 0) return settle(dependencies, grant, { used: 0, answered: true });
  const accepted = new Set<string>();
  try {
    const answer = await processors.sendTasks(grant.address, { node_id: grant.nodeId, tasks }, grant);
    for (const result of answer.results) if (result.accepted) accepted.add(result.job_id);
  } catch (error) {
    for (const { job_id, claim } of tasks)
      log.warn("A node did not answer about its task", {
        job_id,
        claim,
        node_id: grant.nodeId,
        ...errorFields(error),
      });
    return settle(dependencies, grant, { used: 0, answered: false });
  }
  const refused = tasks.filter(({ job_id }) => !accepted.has(job_id));
  await settle(dependencies, grant, { used: accepted.size, answered: refused.length === 0 });
  await putBack(dependencies, refused);
  for (const { job_id, account_id, claim } of tasks) {
    log.info("Job dispatched", {
      job_id,
      account_id,
      claim,
      node_id: grant.nodeId,
      accepted: accepted.has(job_id),
    });
  }
}

async function settle(
  { registry, log }: Pick<Dependencies, "registry" | "log">,
  grant: SlotGrant,
  result: GrantResult,
): Promise<void> {
  try {
    await registry.settleGrant(grant.id, result);
  } catch (error) {
    // The grant expires by itself some seconds later; requeueing need not wait for that.
    log.warn("A grant could not be settled", { node_id: grant.nodeId, ...errorFields(error) });
  }
}

/** Requeues tasks, or fails those whose job's time is over. */
async function putBack(dependencies: Dependencies, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return;
  await applyChanges(
    dependencies,
    tasks.map(({ account_id, job_id, claim, limits }) => ({
      accountId: account_id,
      jobId: job_id,
      event:
        limits.time_left_ms > 0 ? { type: "return", claim } : { type: "fail", claim, code: "time_limit" },
    })),
  );
}
