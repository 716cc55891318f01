import { type SQL, sql } from "drizzle-orm";
import type { Dependencies } from "../dependencies.ts";

/** The smallest turn of the queued jobs of the account in `account_counters`; null: it has none. Reads one row. */
export const smallestQueuedTurn = sql`(
  SELECT turn FROM jobs INDEXED BY jobs_queued
  WHERE jobs.account_id = account_counters.account_id AND status = 'Pending' AND ready_at IS NOT NULL
  ORDER BY turn LIMIT 1)`;

/** The statement that brings accounts up to date whose jobs have joined or left the queue in the same transaction. */
export function updateQueuedTurns(accountIds: Iterable<string>): SQL {
  return sql`
    UPDATE account_counters SET queued_turn = ${smallestQueuedTurn}
    WHERE account_id IN (SELECT value FROM json_each(${JSON.stringify([...new Set(accountIds)])}))
      AND queued_turn IS NOT ${smallestQueuedTurn}`;
}

/**
 * Queues accounts again whose jobs were queued by an edge of the previous version, which knows no `queued_turn`, while
 * this version was being deployed. Reads only accounts with waiting jobs and no turn: almost always none.
 */
export async function queueOverlooked({ database }: Pick<Dependencies, "database">): Promise<void> {
  await database.run(sql`
    UPDATE account_counters INDEXED BY account_counters_unqueued SET queued_turn = ${smallestQueuedTurn}
    WHERE pending > 0 AND queued_turn IS NULL AND ${smallestQueuedTurn} IS NOT NULL`);
}
