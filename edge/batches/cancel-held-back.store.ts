import { sql } from "drizzle-orm";
import { z } from "zod";
import { failureText } from "../../contracts/failure.ts";
import { tellWatchers } from "../cluster/tell-watchers.ts";
import type { Dependencies } from "../dependencies.ts";
import { transact } from "../transact.ts";

/** At most this many end in one transaction, so that nobody else's has to wait long for it. */
const jobsAtOnce = 2000;

const idRows = z.array(z.object({ id: z.string() }));

/**
 * Ends a batch's held-back jobs as cancelled, the last one first, and returns how many. None of them was ever claimed,
 * so there are no nodes, keys or files, and one statement ends thousands. The batch itself never ends here, because
 * jobs are held back only while others are queued or running. If this dies between two transactions, the rest is still
 * held back.
 */
export async function cancelHeldBack(
  dependencies: Pick<Dependencies, "database" | "clock" | "newToken" | "registry" | "log">,
  accountId: string,
  batchId: string,
): Promise<number> {
  let cancelled = 0;
  for (;;) {
    const ids = await cancelSome(dependencies, accountId, batchId);
    await tellWatchers(dependencies, ids);
    cancelled += ids.length;
    if (ids.length < jobsAtOnce) return cancelled;
  }
}

async function cancelSome(
  { database, clock, newToken }: Pick<Dependencies, "database" | "clock" | "newToken">,
  accountId: string,
  batchId: string,
): Promise<string[]> {
  // The counts are taken before the jobs change, in the same transaction, of exactly the jobs that will.
  const heldBack = sql`
    SELECT id FROM jobs INDEXED BY jobs_of_batch
    WHERE batch_id = ${batchId} AND status = 'Pending' AND account_id = ${accountId}
      AND id > (SELECT last_released FROM batches WHERE account_id = ${accountId} AND id = ${batchId})
    ORDER BY id DESC LIMIT ${jobsAtOnce}`;
  const moved = sql`(SELECT count(*) AS jobs FROM (${heldBack})) AS moved WHERE moved.jobs > 0`;
  const [, , rows] = await transact(database, [
    sql`
      UPDATE account_counters SET pending = pending - moved.jobs, failed = failed + moved.jobs
      FROM ${moved} AND account_id = ${accountId}`,
    sql`
      UPDATE batches SET failed = failed + moved.jobs
      FROM ${moved} AND account_id = ${accountId} AND id = ${batchId}`,
    sql`
      UPDATE jobs
      SET status = 'Failed', step = 'Finished', transition = ${newToken()}, finished_at = ${clock()},
        error = ${failureText("cancelled")}, error_code = 'cancelled'
      WHERE account_id = ${accountId} AND id IN (${heldBack})
      RETURNING id`,
  ]);
  return idRows.parse(rows).map(({ id }) => id);
}
