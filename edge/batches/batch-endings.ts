import { type SQL, sql } from "drizzle-orm";
import { appliedChanges, field, type JobWrite } from "../jobs/job-write.ts";

/**
 * What happens in a batch when jobs of it end, as statements of the transaction that ends them: for each one that was
 * queued or running, the next held-back job joins the queue, and the batch counts what has ended. So no count and no
 * release can be lost or happen twice. `endings`: only the changes that end jobs of this batch, since each statement
 * binds them; `token`: the transition given to released jobs, so that concurrent decisions about them see that they
 * have changed.
 */
export function batchEndings(
  endings: readonly JobWrite[],
  { accountId, batchId }: { accountId: string; batchId: string },
  { now, token }: { now: number; token: string },
): SQL[] {
  const endedHere = sql`FROM ${appliedChanges(JSON.stringify(endings))}`;
  const lastReleased = sql`(SELECT last_released FROM batches WHERE account_id = ${accountId} AND id = ${batchId})`;
  const next = sql`
    SELECT id FROM jobs INDEXED BY jobs_of_batch
    WHERE batch_id = ${batchId} AND status = 'Pending' AND id > ${lastReleased} AND account_id = ${accountId}
    ORDER BY id LIMIT (SELECT count(*) ${endedHere} WHERE ${field("wasReleased")} = 1)`;
  return [
    sql`
      UPDATE jobs SET ready_at = ${now}, turn = released.turn, transition = ${token}
      FROM (
        SELECT id, row_number() OVER (ORDER BY id) - 1 + max(
          (SELECT claimed_turn FROM line),
          (SELECT turn + 1 FROM jobs WHERE account_id = ${accountId} AND id = ${lastReleased})) AS turn
        FROM (${next})
      ) AS released
      WHERE jobs.account_id = ${accountId} AND jobs.id = released.id`,
    sql`
      UPDATE batches
      SET completed = batches.completed + moved.completed, failed = batches.failed + moved.failed,
        status = CASE
          WHEN batches.completed + moved.completed + batches.failed + moved.failed < batches.total THEN 'processing'
          WHEN batches.failed + moved.failed > 0 THEN 'finished'
          ELSE 'completed' END,
        last_released = coalesce((SELECT max(id) FROM (${next})), last_released)
      FROM (
        SELECT coalesce(sum(jobs.status = 'Completed'), 0) AS completed,
          coalesce(sum(jobs.status = 'Failed'), 0) AS failed
        ${endedHere}
      ) AS moved
      WHERE batches.account_id = ${accountId} AND batches.id = ${batchId}`,
  ];
}
