import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../dependencies.ts";
import { episodeIds } from "../shows/episode-ids.ts";
import { transact } from "../transact.ts";
import { type ListedBatch, listedBatchSchema } from "./batch-schema.ts";

const listedColumns = sql`id, show_url, folder, total AS total_episodes, completed AS completed_episodes,
  failed AS failed_episodes, status`;

const idRows = z.array(z.object({ id: z.string() })).transform((rows) => rows.map(({ id }) => id));

/**
 * One account's batch and its jobs' ids, in order; null if it has none with that id. A show's ids are derived from its
 * row: its jobs are not read, however many there are.
 */
export async function findBatch(
  database: Database,
  accountId: string,
  batchId: string,
): Promise<{ batch: ListedBatch; jobIds: string[] } | null> {
  const ofAccount = sql`account_id = ${accountId} AND id = ${batchId}`;
  const [batches, jobs] = await transact(database, [
    sql`SELECT ${listedColumns} FROM batches WHERE ${ofAccount}`,
    sql`
      SELECT id FROM jobs INDEXED BY jobs_of_batch
      WHERE EXISTS (SELECT 1 FROM batches WHERE ${ofAccount} AND show_url IS NULL)
        AND batch_id = ${batchId} AND account_id = ${accountId}`,
  ]);
  const [batch] = z.array(listedBatchSchema).parse(batches);
  if (batch === undefined) return null;
  const isShow = batch.show_url !== null;
  return { batch, jobIds: isShow ? episodeIds(batch.id, batch.total_episodes) : idRows.parse(jobs).sort() };
}

/** The ids of a batch's unfinished jobs; null if the account has no such batch. */
export async function unfinishedJobs(
  database: Database,
  accountId: string,
  batchId: string,
): Promise<string[] | null> {
  const [batches, jobs] = await transact(database, [
    sql`SELECT id FROM batches WHERE account_id = ${accountId} AND id = ${batchId}`,
    sql`
      SELECT id FROM jobs INDEXED BY jobs_of_batch
      WHERE batch_id = ${batchId} AND status IN ('Pending', 'Processing') AND account_id = ${accountId}`,
  ]);
  return batches?.length === 0 ? null : idRows.parse(jobs);
}

/** An account's shows, newest first. */
export async function listShows(
  database: Database,
  accountId: string,
  limit: number,
): Promise<ListedBatch[]> {
  const rows = await database.all(sql`
    SELECT ${listedColumns} FROM batches INDEXED BY batches_of_shows
    WHERE account_id = ${accountId} AND show_url IS NOT NULL ORDER BY id DESC LIMIT ${limit}`);
  return z.array(listedBatchSchema).parse(rows);
}
