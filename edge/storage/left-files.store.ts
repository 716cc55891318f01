import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import { locationFromJson, locationJson } from "./storage-location.store.ts";

const leftFileKeySchema = z.object({ accountId: z.string(), jobId: z.string(), storageKey: z.string() });
type LeftFileKey = Readonly<z.infer<typeof leftFileKeySchema>>;

const leftFileSchema = leftFileKeySchema.extend({
  uploadId: z.string().nullable(),
  leftAt: z.int(),
  tryAt: z.int(),
  location: locationFromJson,
});
export type LeftFile = Readonly<z.infer<typeof leftFileSchema>>;

/** By then, a request that was in flight when its node was lost has arrived. */
const restMs = 30_000;
/** As many objects as one request to a bucket can delete. */
export const filesAtOnce = 1000;
const unreadableRestMs = 24 * 60 * 60 * 1000;

/**
 * The statement that records files as left; `from` joins each of them (LeavingFile) as `leaving.value` with its job's
 * row in `jobs`. `leftAt`, ms: when a node may last have been allowed to write them.
 */
export function insertLeftFiles(from: SQL, leftAt: number): SQL {
  return sql`
    INSERT INTO left_files (account_id, job_id, storage_key, location_id, upload_id, left_at, try_at)
    SELECT jobs.account_id, jobs.id, leaving.value ->> 'storageKey', jobs.storage_location_id,
      leaving.value ->> 'uploadId', ${leftAt}, ${leftAt + restMs}
    FROM ${from} WHERE true
    ON CONFLICT DO UPDATE SET upload_id = coalesce(excluded.upload_id, upload_id)`;
}

/**
 * The next left files that are due within half a minute, soonest first. A row that cannot be read is logged, and put off
 * so that it keeps no other from being found.
 */
export async function findLeftFiles({
  database,
  clock,
  log,
}: Pick<Dependencies, "database" | "clock" | "log">): Promise<LeftFile[]> {
  const rows = await database.all(sql`
    SELECT account_id AS accountId, job_id AS jobId, storage_key AS storageKey, upload_id AS uploadId, left_at AS leftAt,
      try_at AS tryAt, ${locationJson(sql`location_id`)} AS location
    FROM left_files WHERE try_at <= ${clock() + restMs} ORDER BY try_at LIMIT ${filesAtOnce}`);
  const unreadable: LeftFileKey[] = [];
  const files = rows.flatMap((row) => {
    const read = leftFileSchema.safeParse(row);
    if (read.success) return [read.data];
    const key = leftFileKeySchema.parse(row);
    log.error("An orphaned file's row cannot be read", { job_id: key.jobId, ...errorFields(read.error) });
    unreadable.push(key);
    return [];
  });
  if (unreadable.length > 0) await postponeLeftFiles({ database }, unreadable, clock() + unreadableRestMs);
  return files;
}

/** Removes files whose objects are gone. */
export async function forgetLeftFiles(
  { database }: Pick<Dependencies, "database">,
  files: readonly LeftFileKey[],
): Promise<void> {
  if (files.length === 0) return;
  await database.run(sql`
    DELETE FROM left_files
    WHERE (account_id, job_id, storage_key) IN (SELECT ${keyOfValue} FROM json_each(${keysJson(files)}))`);
}

/** Makes files due again at `tryAt`, ms since the Unix epoch. */
export async function postponeLeftFiles(
  { database }: Pick<Dependencies, "database">,
  files: readonly LeftFileKey[],
  tryAt: number,
): Promise<void> {
  if (files.length === 0) return;
  await database.run(sql`
    UPDATE left_files SET try_at = ${tryAt}
    WHERE (account_id, job_id, storage_key) IN (SELECT ${keyOfValue} FROM json_each(${keysJson(files)}))`);
}

const keyOfValue = sql`value ->> 'accountId', value ->> 'jobId', value ->> 'storageKey'`;

function keysJson(files: readonly LeftFileKey[]): string {
  return JSON.stringify(files.map(({ accountId, jobId, storageKey }) => ({ accountId, jobId, storageKey })));
}
