import { type SQL, sql } from "drizzle-orm";
import type { Database, Dependencies } from "../dependencies.ts";

/** An answer is given again for this long. */
const keptForMs = 24 * 60 * 60 * 1000;

export interface AnswerToKeep {
  readonly key: string;
  /** Hex SHA-256 over method, path and the parsed body. */
  readonly request: string;
  /** The answer's body, JSON. */
  readonly answer: string;
}

/** The key has an answer: another request was faster, or the client repeats itself. */
export class KeyInUse extends Error {
  override readonly name = "KeyInUse";
}

/**
 * Runs `write` with the statements that keep the answer, to be put first into its transaction. Rejects with KeyInUse
 * when the key holds a living answer: the transaction has then changed nothing.
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

/** The living answer of a key; null when it has none. Reads one row. */
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

/** Deletes answers that are given no more, of any account, a bounded number at a time. */
export async function deleteOldAnswers({
  database,
  clock,
}: Pick<Dependencies, "database" | "clock">): Promise<void> {
  await database.run(sql`
    DELETE FROM idempotency_keys WHERE (account_id, key) IN (
      SELECT account_id, key FROM idempotency_keys INDEXED BY idempotency_keys_age
      WHERE created_at <= ${clock() - keptForMs} LIMIT ${deletedAtOnce})`);
}
