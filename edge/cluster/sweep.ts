import type { JobEvent } from "../../contracts/job-lifecycle.ts";
import type { Dependencies } from "../dependencies.ts";
import { queueOverlooked } from "../dispatch/queued-turns.store.ts";
import { sendWakeUp } from "../dispatch/wake-up.ts";
import { deleteOldAnswers } from "../idempotency/idempotency-key.store.ts";
import { applyChanges } from "../jobs/apply-changes.ts";
import type { JobChange } from "../jobs/job-change.ts";
import { errorFields } from "../log.ts";
import { trimRecords } from "../retention/trim-records.ts";
import { deleteStaleDrafts } from "../shows/show-draft.store.ts";
import { deleteLeftFiles } from "../storage/delete-left-files.ts";
import { deleteFreedNames } from "../storage/free-names.store.ts";
import { deleteOldDays } from "../statistics/statistics.store.ts";
import { eraseCredentials } from "../storage/erase-credentials.store.ts";
import { wakeWebhooks } from "../webhooks/wake-webhooks.ts";
import { dueEvents } from "../webhooks/webhook-event.store.ts";
import type { JobInWork } from "./job-in-work.ts";
import { isAnyInLine, jobsInWork, longestWaitMs } from "./jobs-in-work.store.ts";
import { writeLiveSlots } from "./live-slots.store.ts";
import type { NodeTable } from "./node-table.ts";
import { isSameMemory, type RememberedNodes } from "./remembered-node.ts";

/**
 * Keeps what is to be known of nodes after the registry's memory is lost. The sweep alone writes it. If it dies before
 * that, or memory is lost between two sweeps, a node that has fallen silent is given its time once more.
 */
export interface NodeMemory {
  read(): Promise<RememberedNodes>;
  write(nodes: RememberedNodes): Promise<void>;
}

/** What a node should have stopped by itself is ended here this much later. */
const timeLimitGraceMs = 60_000;
/** A change takes about 1 KB of a statement's parameters, and two statements of the transaction if it ends a batch. */
const changesAtOnce = 200;
/**
 * Clients' buckets may hang; the next sweep, which handles the jobs of lost nodes, waits for them no longer than this.
 */
const storageTimeMs = 5000;

/**
 * Repairs what lost messages would otherwise leave behind: requeues the jobs of lost nodes, ends jobs that exceed their
 * time limit, and repeats wake-ups, including those of webhooks. Then deletes whatever is kept only for a time: files
 * that no job refers to, records past their retention, and credentials that are no longer needed; if one of these steps
 * fails, the others are still done. Returns whether anything is unfinished, so that another sweep is needed, and whether
 * due jobs find no free slot.
 */
export async function sweep(
  dependencies: Dependencies,
  nodes: NodeTable,
  memory: NodeMemory,
): Promise<{ unfinished: boolean; starved: boolean }> {
  const inWork = await recoverJobs(dependencies, nodes, memory);
  await writeLiveSlots(dependencies, nodes.liveSlots(dependencies.clock()));
  const isDue = (await longestWaitMs(dependencies)) !== null;
  const starved = isDue && !nodes.hasFreeSlots(dependencies.clock());
  if (isDue && !starved) await sendWakeUp(dependencies, "sweep");
  const hasMore = await tidyUp(dependencies);
  return { unfinished: inWork > 0 || hasMore || (await isAnyInLine(dependencies)), starved };
}

/** Takes jobs from nodes that are lost or too slow. Returns how many were running. */
async function recoverJobs(
  dependencies: Dependencies,
  nodes: NodeTable,
  memory: NodeMemory,
): Promise<number> {
  const { clock, log, settings } = dependencies;
  const held = nodes.heldClaims();
  const inWork = await jobsInWork(dependencies);
  const now = clock();
  const before = await memory.read();
  const { lost, undelivered, remembered } = nodes.compare(inWork, held, before, now);
  if (!isSameMemory(before, remembered)) await memory.write(remembered);
  const overdue = inWork.filter(
    ({ startedAt }) => now - startedAt > settings.limits.jobTimeMs + timeLimitGraceMs,
  );
  const overdueIds = new Set(overdue.map(({ jobId }) => jobId));
  const inTime = (rows: readonly JobInWork[]) => rows.filter(({ jobId }) => !overdueIds.has(jobId));
  const changes = [
    ...overdue.map((row) => changeOf(row, { type: "fail", claim: row.claim, code: "time_limit" })),
    ...inTime(lost).map((row) => changeOf(row, { type: "lose", claim: row.claim })),
    // A task that never reached its node is no interruption. This can repeat until the job's time is over.
    ...inTime(undelivered).map((row) => changeOf(row, { type: "return", claim: row.claim })),
  ];
  for (let first = 0; first < changes.length; first += changesAtOnce) {
    const some = changes.slice(first, first + changesAtOnce);
    await applyChanges(dependencies, some);
    for (const { accountId, jobId, claim, event } of some)
      log.warn("The sweep took a job from its node", {
        job_id: jobId,
        account_id: accountId,
        claim,
        event: event.type,
      });
  }
  return inWork.length;
}

/**
 * Everything that may wait, each step by itself: one that fails is tried again by the next sweep, and keeps no other
 * from being done. Returns whether anything is left to do.
 */
async function tidyUp(dependencies: Dependencies): Promise<boolean> {
  const steps: Record<string, () => Promise<boolean | void>> = {
    webhooks: async () => {
      const due = await dueEvents(dependencies);
      await wakeWebhooks(dependencies, due);
      return due.length > 0;
    },
    overlooked_accounts: () => queueOverlooked(dependencies),
    old_answers: () => deleteOldAnswers(dependencies),
    old_days: () => deleteOldDays(dependencies),
    stale_drafts: () => deleteStaleDrafts(dependencies),
    freed_names: () => deleteFreedNames(dependencies),
    left_files: async () => {
      const { moreLeft } = await deleteLeftFiles(dependencies, () => AbortSignal.timeout(storageTimeMs));
      if (moreLeft) return true;
      // Trimming waits until the files of what it has already trimmed are gone, so that they never pile up.
      return (await trimRecords(dependencies)).moreToTrim;
    },
    credentials: () => eraseCredentials(dependencies),
  };
  let hasMore = false;
  for (const [step, take] of Object.entries(steps)) {
    try {
      if ((await take()) === true) hasMore = true;
    } catch (error) {
      hasMore = true;
      dependencies.log.error("A step of the sweep failed", { step, ...errorFields(error) });
    }
  }
  return hasMore;
}

function changeOf({ accountId, jobId, claim }: JobInWork, event: JobEvent): JobChange & { claim: number } {
  return { accountId, jobId, claim, event };
}
