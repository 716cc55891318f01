import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { sidecarSchema } from "../../contracts/file-facts.ts";
import { flagColumn, jsonColumn } from "../columns.ts";
import type { Database } from "../dependencies.ts";
import { lastLookAfterMs } from "../storage/delete-left-files.ts";
import { forgetNames } from "../storage/free-names.store.ts";
import type { LeavingFile } from "../storage/leaving-files.ts";
import { insertLeftFiles } from "../storage/left-files.store.ts";
import { namesOfFile } from "../storage/reserved-names.ts";
import { managedAccountId } from "../storage/storage.table.ts";
import type { AccountRange } from "./trimming.store.ts";

/** How many jobs one step looks at. */
export const jobsAtOnce = 100;

const oldJobSchema = z.object({
  accountId: z.string(),
  jobId: z.string(),
  batchId: z.string().nullable(),
  /** Its transition when it was read. */
  seen: z.string(),
  /** The key of its file, and those of its sidecars; null and empty if it has no file. */
  storageKey: z.string().nullable(),
  sidecarSuffixes: jsonColumn(z.array(z.string())),
  sidecars: jsonColumn(z.array(sidecarSchema)),
  /** Nothing needs its record any more. */
  goes: flagColumn,
});
type OldJob = Readonly<z.infer<typeof oldJobSchema>>;

/** A webhook attempt for this job, or for its batch, is still to come. */
const isAwaited = sql`EXISTS (
  SELECT 1 FROM webhook_events WHERE subject IN (jobs.id, jobs.batch_id) AND next_try_at IS NOT NULL)`;

/**
 * The next jobs that are old by their ids. Of those, the ones to delete ended before `endedBefore` (ms), their batch
 * has ended, and their webhooks are done. A file in managed storage is deleted with its job. A job that shows a file in
 * its account's own bucket is kept: that file is not the service's to delete.
 */
export async function findOldJobs(
  database: Database,
  { accountId, through, lastAccountId }: AccountRange,
  { endedBefore, firstIdKept }: { endedBefore: number; firstIdKept: string },
): Promise<OldJob[]> {
  const rows = await database.all(sql`
    SELECT jobs.account_id AS accountId, jobs.id AS jobId, batch_id AS batchId, transition AS seen,
      CASE status WHEN 'Completed' THEN storage_key END AS storageKey,
      coalesce(sidecar_suffixes, '[]') AS sidecarSuffixes, coalesce(sidecars, '[]') AS sidecars,
      status IN ('Completed', 'Failed') AND finished_at < ${endedBefore}
        AND (status = 'Failed' OR storage_key IS NULL OR jobs.storage_location_id IN (
          SELECT id FROM storage_locations WHERE account_id = ${managedAccountId}))
        AND (batch_id IS NULL OR EXISTS (
          SELECT 1 FROM batches
          WHERE batches.account_id = jobs.account_id AND batches.id = jobs.batch_id AND batches.status <> 'processing'))
        AND NOT ${isAwaited} AS goes
    FROM accounts CROSS JOIN jobs ON jobs.account_id = accounts.id AND jobs.id < ${firstIdKept}
      AND jobs.id > CASE accounts.id WHEN ${accountId} THEN ${through} ELSE '' END
    WHERE accounts.id BETWEEN ${accountId} AND ${lastAccountId}
    ORDER BY accounts.id, jobs.id LIMIT ${jobsAtOnce}`);
  return z.array(oldJobSchema).parse(rows);
}

/**
 * The statements that delete jobs with their webhook events, and each batch with its last job. Their files become left
 * files, which the sweep deletes. Their share of usage and storage stays counted, and is recorded as trimmed so that
 * the totals can still be checked against the jobs. A job that has changed since it was read stays.
 */
export function trimJobs(jobs: readonly OldJob[], { now, token }: { now: number; token: string }): SQL[] {
  if (jobs.length === 0) return [];
  const list = JSON.stringify(
    jobs.map(({ accountId, jobId, seen, storageKey, sidecarSuffixes, sidecars }) => ({
      accountId,
      jobId,
      seen,
      names: storageKey === null ? [] : namesOfFile(accountId, storageKey, sidecarSuffixes),
      files:
        storageKey === null
          ? []
          : [storageKey, ...sidecars.map((sidecar) => sidecar.storage_key)].map(leaving),
    })),
  );
  const ownRow = sql`jobs.account_id = old.value ->> 'accountId' AND jobs.id = old.value ->> 'jobId'`;
  const going = sql`json_each(${list}) AS old CROSS JOIN jobs ON ${ownRow} AND jobs.transition = ${token}`;
  const ofBatches = jobs.filter(({ batchId }) => batchId !== null);
  return [
    sql`
      UPDATE jobs SET transition = ${token} FROM json_each(${list}) AS old
      WHERE ${ownRow} AND jobs.transition = old.value ->> 'seen' AND NOT ${isAwaited}`,
    sql`
      UPDATE account_counters
      SET completed = account_counters.completed - going.completed, failed = account_counters.failed - going.failed,
        trimmed_jobs = trimmed_jobs + going.completed + going.failed, trimmed_bytes = trimmed_bytes + going.bytes,
        trimmed_through = max(trimmed_through, going.through)
      FROM (
        SELECT jobs.account_id, sum(status = 'Completed') AS completed, sum(status = 'Failed') AS failed,
          sum(CASE status WHEN 'Completed' THEN file_size
            + (SELECT coalesce(sum(value ->> 'bytes'), 0) FROM json_each(coalesce(sidecars, '[]'))) ELSE 0 END) AS bytes,
          max(finished_at) AS through
        FROM ${going} GROUP BY jobs.account_id
      ) AS going
      WHERE account_counters.account_id = going.account_id`,
    ...(jobs.some(({ storageKey }) => storageKey !== null)
      ? [
          // Their only visit: nothing has been able to write them since the job ended.
          insertLeftFiles(
            sql`${going} CROSS JOIN json_each(old.value -> 'files') AS leaving`,
            now - lastLookAfterMs,
          ),
          // The names need no rest either: under its job's prefix no object meets another.
          forgetNames(sql`${going} CROSS JOIN json_each(old.value -> 'names') AS freed`),
        ]
      : []),
    ...(ofBatches.length > 0 ? [countInBatches(going)] : []),
    sql`DELETE FROM webhook_events WHERE subject IN (SELECT jobs.id FROM ${going})`,
    sql`DELETE FROM jobs WHERE (account_id, id) IN (SELECT jobs.account_id, jobs.id FROM ${going})`,
    ...(ofBatches.length > 0 ? trimEmptyBatches(ofBatches) : []),
  ];
}

function leaving(storageKey: string): LeavingFile {
  return { storageKey, uploadId: null };
}

function countInBatches(going: SQL): SQL {
  return sql`
    UPDATE batches
    SET trimmed_completed = trimmed_completed + going.completed, trimmed_failed = trimmed_failed + going.failed
    FROM (
      SELECT jobs.account_id, batch_id, sum(status = 'Completed') AS completed, sum(status = 'Failed') AS failed
      FROM ${going} WHERE batch_id IS NOT NULL GROUP BY 1, 2
    ) AS going
    WHERE batches.account_id = going.account_id AND batches.id = going.batch_id`;
}

/** Deletes batches that have no jobs left, with their events. */
function trimEmptyBatches(jobs: readonly OldJob[]): SQL[] {
  const places = new Map(jobs.map(({ accountId, batchId }) => [batchId, { accountId, batchId }]));
  const empty = sql`json_each(${JSON.stringify([...places.values()])}) AS place
    CROSS JOIN batches ON batches.account_id = place.value ->> 'accountId' AND batches.id = place.value ->> 'batchId'
      AND trimmed_completed + trimmed_failed = total`;
  return [
    sql`DELETE FROM webhook_events WHERE subject IN (SELECT batches.id FROM ${empty})`,
    sql`DELETE FROM batches WHERE (account_id, id) IN (SELECT batches.account_id, batches.id FROM ${empty})`,
  ];
}
