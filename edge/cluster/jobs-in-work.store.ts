import { sql } from "drizzle-orm";
import type { Dependencies } from "../dependencies.ts";
import type { JobInWork } from "./job-in-work.ts";

/** Every job that a node should be holding: at most as many rows as the cluster has slots, however long its history. */
export async function jobsInWork({ database }: Pick<Dependencies, "database">): Promise<JobInWork[]> {
  return database.all<JobInWork>(sql`
    SELECT account_id AS accountId, id AS jobId, claim, coalesce(node_id, '') AS nodeId, claimed_at AS claimedAt,
      started_at AS startedAt
    FROM jobs INDEXED BY jobs_in_work WHERE status = 'Processing'`);
}

/**
 * How long a due job has been waiting that only lacks a slot, in ms: the first of the account that is next. Null if none
 * waits, except those of accounts that have as many running as they may.
 */
export async function longestWaitMs({
  database,
  clock,
}: Pick<Dependencies, "database" | "clock">): Promise<number | null> {
  const now = clock();
  const dueSince = sql`
    SELECT ready_at FROM jobs INDEXED BY jobs_queued
    WHERE jobs.account_id = account_counters.account_id AND status = 'Pending' AND ready_at <= ${now}
    ORDER BY turn LIMIT 1`;
  const [first] = await database.all<{ readyAt: number }>(sql`
    SELECT (${dueSince}) AS readyAt FROM account_counters INDEXED BY account_counters_waiting
    WHERE queued_turn IS NOT NULL AND (running_limit IS NULL OR processing < running_limit)
      AND EXISTS (${dueSince})
    ORDER BY processing, queued_turn LIMIT 1`);
  return first === undefined ? null : now - first.readyAt;
}

/** Whether any job is queued, due or not. */
export async function isAnyInLine({ database }: Pick<Dependencies, "database">): Promise<boolean> {
  const rows = await database.all(
    sql`SELECT 1 FROM jobs INDEXED BY jobs_queued WHERE status = 'Pending' AND ready_at IS NOT NULL LIMIT 1`,
  );
  return rows.length > 0;
}
