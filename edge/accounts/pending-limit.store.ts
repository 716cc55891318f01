import { type SQL, sql } from "drizzle-orm";
import type { Database, Dependencies } from "../dependencies.ts";
import { type AnswerToKeep, keepAnswer } from "../idempotency/idempotency-key.store.ts";
import { tooManyPending } from "./account-errors.ts";

const isFull = sql`pending >= pending_limit`;

/**
 * Throws the ApiError if so many of the account's jobs are waiting that no more are accepted. Reads one row. For
 * requests that cost something before they create: `createdIfRoom` decides in the end.
 */
export async function requireRoom(
  { database }: Pick<Dependencies, "database">,
  accountId: string,
): Promise<void> {
  const [full] = await database.all<{ limit: number }>(sql`
    SELECT pending_limit AS "limit" FROM account_counters WHERE account_id = ${accountId} AND ${isFull}`);
  if (full !== undefined) throw tooManyPending(full.limit);
}

/**
 * The new value of `jobs_created` in the transaction that creates `count` jobs: null, which the column does not take, if
 * no more are accepted. For `createWithinLimit`.
 */
export function createdIfRoom(count: number): SQL {
  return sql`CASE WHEN ${isFull} THEN NULL ELSE jobs_created + ${count} END`;
}

/**
 * Runs `write` with the statements that store the response, which have to come first in its transaction: a request that
 * is repeated meets no limit. Rejects, and nothing has changed, with KeyInUse if the idempotency key has a response, and
 * with the ApiError if `createdIfRoom` found no room.
 */
export async function createWithinLimit(
  database: Database,
  accountId: string,
  kept: AnswerToKeep | null,
  now: number,
  write: (statements: readonly SQL[]) => Promise<unknown>,
): Promise<void> {
  try {
    await keepAnswer(kept, accountId, now, write);
  } catch (error) {
    const isRefused =
      error instanceof Error &&
      error.message.includes("NOT NULL constraint failed: account_counters.jobs_created");
    if (!isRefused) throw error;
    const [account] = await database.all<{ limit: number | null }>(sql`
      SELECT pending_limit AS "limit" FROM account_counters WHERE account_id = ${accountId}`);
    throw tooManyPending(account?.limit ?? 0);
  }
}
