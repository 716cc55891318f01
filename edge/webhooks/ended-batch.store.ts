import { and, eq } from "drizzle-orm";
import { batches } from "../batches/batch.table.ts";
import type { Database } from "../dependencies.ts";

/** What a batch's webhook says about it, without its jobs; null if the account has no such batch. Reads one row. */
export async function findEndedBatch(database: Database, accountId: string, batchId: string) {
  const { showUrl, folder, completed, failed, total } = batches;
  const [batch] = await database
    .select({ showUrl, folder, completed, failed, total })
    .from(batches)
    .where(and(eq(batches.accountId, accountId), eq(batches.id, batchId)));
  return batch ?? null;
}
