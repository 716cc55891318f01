import type { JobEvent } from "../../contracts/job-lifecycle.ts";
import { nodeLostAfterMs } from "../../contracts/limits.ts";
import type { Dependencies } from "../dependencies.ts";
import { sendWakeUp } from "../dispatch/wake-up.ts";
import { deleteOldAnswers } from "../idempotency/idempotency-key.store.ts";
import { applyChanges, type JobChange } from "../jobs/job-transitions.store.ts";
import { trimRecords } from "../retention/trim-records.ts";
import { deleteStaleDrafts } from "../shows/show-draft.store.ts";
import { deleteLeftFiles } from "../storage/delete-left-files.ts";
import { deleteFreedNames } from "../storage/free-names.store.ts";
import { deleteOldDays } from "../statistics/statistics.store.ts";
import { eraseCredentials } from "../storage/erase-credentials.store.ts";
import { wakeWebhooks } from "../webhooks/wake-webhooks.ts";
import { dueEvents } from "../webhooks/webhook-event.store.ts";
import { isAnyInLine, jobsInWork, longestWaitMs } from "./jobs-in-work.store.ts";
import type { JobInWork, NodeTable } from "./node-table.ts";

/** Since when each node that memory does not know has been owed an answer. Survives the object's sleep. */
export interface Suspects {
  read(): Promise<ReadonlyMap<string, number>>;
  write(suspectSince: ReadonlyMap<string, number>): Promise<void>;
}

/** What a node itself should have stopped is ended here this much later. */
const timeLimitGraceMs = 60_000;
/** A change takes about 1 KB of what a statement binds, and two statements of the transaction where it ends a batch. */
const changesAtOnce = 200;
/** Buckets that clients named may hang; the next sweep, and with it the jobs of lost nodes, waits no longer for them. */
const storageTimeMs = 5000;

/**
 * Mends what messages alone would lose: puts back the jobs of lost nodes, ends jobs that outlive their time, and
 * repeats wake-ups, also those of webhooks. Deletes what is kept for a time only, files that no job shows, records that
 * the deployment keeps no longer, and credentials that nothing needs. Answers whether anything is unfinished, so that
 * the next sweep is needed, and whether due jobs find no free slot.
 */
export async function sweep(
  dependencies: Dependencies,
  nodes: NodeTable,
  suspects: Suspects,
): Promise<{ unfinished: boolean; starved: boolean }> {
  const { clock, log, settings } = dependencies;
  const held = nodes.heldClaims();
  const inWork = await jobsInWork(dependencies);
  const now = clock();
  const { lost, undelivered, unknown } = nodes.compare(inWork, held, now);
  lost.push(...(await confirmSuspects(unknown, suspects, now)));
  const overdue = inWork.filter(
    ({ startedAt }) => now - startedAt > settings.limits.jobTimeMs + timeLimitGraceMs,
  );
  const overdueIds = new Set(overdue.map(({ jobId }) => jobId));
  const inTime = (rows: readonly JobInWork[]) => rows.filter(({ jobId }) => !overdueIds.has(jobId));
  const changes = [
    ...overdue.map((row) => changeOf(row, { type: "fail", claim: row.claim, code: "time_limit" })),
    ...inTime(lost).map((row) => changeOf(row, { type: "lose", claim: row.claim })),
    // What its node never had is no interruption. It goes on so until the job's time is over.
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

  const waitMs = await longestWaitMs(dependencies);
  const starved = waitMs !== null && !nodes.hasFreeSlots(now);
  if (waitMs !== null && !starved) await sendWakeUp(dependencies, "sweep");
  const due = await dueEvents(dependencies);
  await wakeWebhooks(dependencies, due);
  await deleteOldAnswers(dependencies);
  await deleteOldDays(dependencies);
  await deleteStaleDrafts(dependencies);
  await deleteFreedNames(dependencies);
  const { moreLeft } = await deleteLeftFiles(dependencies, () => AbortSignal.timeout(storageTimeMs));
  // Trimming waits for the files of those that it has trimmed, so that they never pile up.
  const { moreToTrim } = moreLeft ? { moreToTrim: false } : await trimRecords(dependencies);
  await eraseCredentials(dependencies);
  const isWaitedFor = inWork.length > 0 || due.length > 0 || (await isAnyInLine(dependencies));
  return { unfinished: isWaitedFor || moreLeft || moreToTrim, starved };
}

function changeOf({ accountId, jobId, claim }: JobInWork, event: JobEvent): JobChange & { claim: number } {
  return { accountId, jobId, claim, event };
}

/** Rows of nodes that have stayed unknown for as long as a silent node would take to be lost. */
async function confirmSuspects(
  unknown: readonly JobInWork[],
  suspects: Suspects,
  now: number,
): Promise<JobInWork[]> {
  const known = await suspects.read();
  const current = new Map(unknown.map(({ nodeId }) => [nodeId, known.get(nodeId) ?? now]));
  const isSame = known.size === current.size && [...current.keys()].every((nodeId) => known.has(nodeId));
  if (!isSame) await suspects.write(current);
  return unknown.filter(({ nodeId }) => now - (current.get(nodeId) ?? now) >= nodeLostAfterMs);
}
