import { and, eq, gte, sql } from "drizzle-orm";
import type { Database, Dependencies } from "../dependencies.ts";
import { accountCounters, dayCounts } from "../usage/account-counter.table.ts";
import { lastDays } from "./days.ts";

/** An account's jobs by status, and all bytes ever stored. Reads one row; throws if there is none. */
export async function readCounts(database: Database, accountId: string) {
  const [counts] = await database
    .select({
      pending: accountCounters.pending,
      processing: accountCounters.processing,
      completed: accountCounters.completed,
      failed: accountCounters.failed,
      storageBytes: accountCounters.storageBytes,
    })
    .from(accountCounters)
    .where(eq(accountCounters.accountId, accountId));
  if (counts === undefined) throw new Error(`Account ${accountId} has no counters`);
  return counts;
}

/** The days from `firstDay` on (YYYY-MM-DD) with any jobs, oldest first. */
export async function readDays(database: Database, accountId: string, firstDay: string) {
  return database
    .select({ day: dayCounts.day, completed: dayCounts.completed, failed: dayCounts.failed })
    .from(dayCounts)
    .where(and(eq(dayCounts.accountId, accountId), gte(dayCounts.day, firstDay)))
    .orderBy(dayCounts.day);
}

const daysKept = 8;
const deletedAtOnce = 500;

/** Deletes days, of any account, that no page shows any more, a limited number at a time. */
export async function deleteOldDays({
  database,
  clock,
}: Pick<Dependencies, "database" | "clock">): Promise<void> {
  const [oldestKept] = lastDays(clock(), daysKept);
  await database.run(sql`
    DELETE FROM day_counts WHERE (account_id, day) IN (
      SELECT account_id, day FROM day_counts INDEXED BY day_counts_day WHERE day < ${oldestKept}
      LIMIT ${deletedAtOnce})`);
}
