import { type SQL, sql } from "drizzle-orm";
import type { Database, Dependencies } from "../dependencies.ts";

/** How long a response is replayed. */
const keptForMs = 24 * 60 * 60 * 1000;

export interface AnswerToKeep {
  readonly key: string;
  /** Hex SHA-256 of method, path and the parsed body. */
  readonly request: string;
  /** The response body, JSON. */
  readonly answer: string;
}

/** The key has a response: another request was faster, or the client is repeating itself. */
export class KeyInUse extends Error {
  override readonly name = "KeyInUse";
}

/**
 * Runs `write` with the statements that store the response, which have to come first in its transaction. Rejects with
 * KeyInUse if the key has an unexpired response; then the transaction has changed nothing.
 */
export async function keepAnswer<Result>(
  kept: AnswerToKeep | null,
  accountId: string,
  now: number,
  write: (statements: readonly SQL[]) => Promise<Result>,
): Promise<Result> {
  if (kept === null) return write([]);
  try {
    return await write([
      sql`
        DELETE FROM idempotency_keys
        WHERE account_id = ${accountId} AND key = ${kept.key} AND created_at <= ${now - keptForMs}`,
      sql`
        INSERT INTO idempotency_keys (account_id, key, request, answer, created_at)
        VALUES (${accountId}, ${kept.key}, ${kept.request}, ${kept.answer}, ${now})`,
    ]);
  } catch (error) {
    const isTaken =
      error instanceof Error && error.message.includes("UNIQUE constraint failed: idempotency_keys");
    throw isTaken ? new KeyInUse("The idempotency key has an answer already", { cause: error }) : error;
  }
}

/** The unexpired response of a key; null if it has none. Reads one row. */
export async function findAnswer(
  database: Database,
  accountId: string,
  key: string,
  now: number,
): Promise<Pick<AnswerToKeep, "request" | "answer"> | null> {
  const [row] = await database.all<Pick<AnswerToKeep, "request" | "answer">>(sql`
    SELECT request, answer FROM idempotency_keys
    WHERE account_id = ${accountId} AND key = ${key} AND created_at > ${now - keptForMs}`);
  return row ?? null;
}

const deletedAtOnce = 500;

/** Deletes expired responses of all accounts, a limited number at a time. */
export async function deleteOldAnswers({
  database,
  clock,
}: Pick<Dependencies, "database" | "clock">): Promise<void> {
  await database.run(sql`
    DELETE FROM idempotency_keys WHERE (account_id, key) IN (
      SELECT account_id, key FROM idempotency_keys INDEXED BY idempotency_keys_age
      WHERE created_at <= ${clock() - keptForMs} LIMIT ${deletedAtOnce})`);
}
