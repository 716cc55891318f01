import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { batchEndings } from "../batches/batch-endings.ts";
import type { Dependencies } from "../dependencies.ts";
import { updateQueuedTurns } from "../dispatch/queued-turns.store.ts";
import { freeNames } from "../storage/free-names.store.ts";
import { insertLeftFiles } from "../storage/left-files.store.ts";
import { transact } from "../transact.ts";
import { appliedChanges, field, type JobWrite } from "./job-write.ts";

/** `written`: ids of the jobs whose rows were still as seen; `eventIds`: ids of the resulting webhook events. */
interface Written {
  readonly written: ReadonlySet<string>;
  readonly eventIds: readonly string[];
}

/**
 * Writes the rows that are still as seen, and everything that follows from it, in one transaction. Never repeat a
 * failed one as it is: if it happened after all, the rows carry its tokens, and the consequences would be counted
 * twice.
 */
export async function writeJobs(
  { database, clock, newToken }: Pick<Dependencies, "database" | "clock" | "newToken">,
  writes: readonly JobWrite[],
): Promise<Written> {
  if (writes.length === 0) return { written: new Set(), eventIds: [] };
  const list = JSON.stringify(writes);
  const now = clock();
  const updateRows = sql`
    UPDATE jobs
    SET status = ${field("status")},
      step = coalesce(${field("step")}, step),
      interruptions = ${field("interruptions")},
      publishing = ${field("publishing")},
      transition = ${field("token")},
      report_sequence = coalesce(${field("reportSequence")}, report_sequence),
      ready_at = ${field("readyAt")},
      node_id = CASE ${field("keepsNode")} WHEN 1 THEN node_id END,
      finished_at = ${field("finishedAt")},
      upload_id = coalesce(${field("uploadId")}, upload_id),
      file_size = coalesce(${field("fileSize")}, file_size),
      media = coalesce(${field("media")}, media),
      sidecars = coalesce(${field("sidecars")}, sidecars),
      preferred_subtitle = coalesce(${field("preferredSubtitle")}, preferred_subtitle),
      timings = coalesce(${field("timings")}, timings),
      error = ${field("error")},
      error_code = ${field("errorCode")}
    FROM json_each(${list}) AS change
    WHERE jobs.account_id = ${field("accountId")} AND jobs.id = ${field("jobId")}
      AND jobs.transition = ${field("seen")}
    RETURNING jobs.id`;
  const movesQueue = writes.filter(joinsOrLeavesQueue);
  const followUps = [
    writes.some(({ status, fromStatus }) => status !== fromStatus) &&
      sql`
        UPDATE account_counters
        SET pending = account_counters.pending + moved.pending, processing = account_counters.processing + moved.processing,
          completed = account_counters.completed + moved.completed, failed = account_counters.failed + moved.failed,
          storage_bytes = storage_bytes + moved.stored_bytes,
          period_start = max(account_counters.period_start, coalesce(moved.period_start, 0)),
          period_storage_bytes = moved.stored_bytes
            + CASE WHEN moved.period_start > account_counters.period_start THEN 0 ELSE period_storage_bytes END
        FROM (
          SELECT jobs.account_id, ${moved("Pending")} AS pending, ${moved("Processing")} AS processing,
            ${moved("Completed")} AS completed, ${moved("Failed")} AS failed,
            sum(${field("storedBytes")}) AS stored_bytes, max(${field("periodStart")}) AS period_start
          FROM ${appliedChanges(list)} GROUP BY jobs.account_id
        ) AS moved
        WHERE account_counters.account_id = moved.account_id`,
    writes.some(({ day }) => day !== null) &&
      sql`
        INSERT INTO day_counts (account_id, day, completed, failed)
        SELECT jobs.account_id, ${field("day")}, sum(jobs.status = 'Completed'), sum(jobs.status = 'Failed')
        FROM ${appliedChanges(list)} WHERE ${field("day")} IS NOT NULL GROUP BY 1, 2
        ON CONFLICT DO UPDATE SET completed = completed + excluded.completed, failed = failed + excluded.failed`,
    writes.some(({ freedNames }) => freedNames.length > 0) &&
      freeNames(
        sql`${appliedChanges(list)} CROSS JOIN json_each(change.value -> 'freedNames') AS freed`,
        now,
      ),
    writes.some((each) => each.leftFiles.length > 0) &&
      insertLeftFiles(
        sql`${appliedChanges(list)} CROSS JOIN json_each(change.value -> 'leftFiles') AS leaving`,
        now,
      ),
    ...endingsByBatch(writes).flatMap(({ endings, ...batch }) =>
      batchEndings(endings, batch, { now, token: newToken() }),
    ),
    movesQueue.length > 0 && updateQueuedTurns(movesQueue.map(({ accountId }) => accountId)),
    ...endEvents(writes, list, now),
  ].filter((statement) => statement !== false);
  const [updated, ...created] = await transact(database, [updateRows, ...followUps]);
  return { written: new Set(idsOf(updated)), eventIds: idsOf(created.flat()) };
}

function idsOf(rows: unknown): string[] {
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);
}

interface EndingsOfBatch {
  readonly accountId: string;
  readonly batchId: string;
  readonly endings: JobWrite[];
}

/** The batches in which jobs end, each with the changes that end them. */
function endingsByBatch(writes: readonly JobWrite[]): EndingsOfBatch[] {
  const batches = new Map<string, EndingsOfBatch>();
  for (const one of writes) {
    const { accountId, batchId, ended } = one;
    if (ended === 0 || batchId === null) continue;
    const batch = batches.get(batchId) ?? { accountId, batchId, endings: [] };
    batch.endings.push(one);
    batches.set(batchId, batch);
  }
  return [...batches.values()];
}

/**
 * The events requested by clients for the jobs that end and for their batches, each once per subject. Of all follow-up
 * statements, only these return rows: the ids.
 */
function endEvents(writes: readonly JobWrite[], list: string, now: number): SQL[] {
  const ended = writes.filter((one) => one.ended === 1);
  const ofJobs = sql`
      INSERT INTO webhook_events (id, account_id, type, subject, job_id, url, created_at, next_try_at)
      SELECT ${field("jobEventId")}, jobs.account_id,
        CASE jobs.status WHEN 'Completed' THEN 'job_completed' ELSE 'job_failed' END,
        jobs.id, jobs.id, jobs.webhook_url, jobs.finished_at, ${now}
      FROM ${appliedChanges(list)}
      WHERE ${field("ended")} = 1 AND jobs.batch_id IS NULL AND jobs.webhook_url IS NOT NULL
      ON CONFLICT DO NOTHING
      RETURNING id`;
  const ofBatches = sql`
      INSERT INTO webhook_events (id, account_id, type, subject, batch_id, url, created_at, next_try_at)
      SELECT min(${field("batchEventId")}), batches.account_id, 'batch_completed', batches.id, batches.id,
        batches.webhook_url, ${now}, ${now}
      FROM ${appliedChanges(list)}
      CROSS JOIN batches ON batches.account_id = jobs.account_id AND batches.id = jobs.batch_id
      WHERE ${field("ended")} = 1 AND batches.status <> 'processing' AND batches.webhook_url IS NOT NULL
      GROUP BY batches.account_id, batches.id
      ON CONFLICT DO NOTHING
      RETURNING id`;
  return [
    ...(ended.some(({ batchId }) => batchId === null) ? [ofJobs] : []),
    ...(ended.some(({ batchId }) => batchId !== null) ? [ofBatches] : []),
  ];
}

/** True also where the end of a job lets the next of its batch into the queue. */
function joinsOrLeavesQueue({ fromStatus, status, ended, batchId }: JobWrite): boolean {
  return fromStatus === "Pending" || status === "Pending" || (ended === 1 && batchId !== null);
}

function moved(status: string): SQL {
  return sql`sum((${field("status")} = ${status}) - (${field("fromStatus")} = ${status}))`;
}
