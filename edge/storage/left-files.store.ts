import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { locationFromJson, locationJson } from "./storage-location.store.ts";

const leftFileSchema = z.object({
  accountId: z.string(),
  jobId: z.string(),
  storageKey: z.string(),
  uploadId: z.string().nullable(),
  leftAt: z.int(),
  tryAt: z.int(),
  location: locationFromJson,
});
export type LeftFile = Readonly<z.infer<typeof leftFileSchema>>;

/** By then, a request that was in flight when its node was lost has arrived. */
const restMs = 30_000;
const filesAtOnce = 20;

/**
 * The statement that records files as left at `now`; `from` joins each of them (LeavingFile) as `leaving.value` with
 * its job's row in `jobs`.
 */
export function insertLeftFiles(from: SQL, now: number): SQL {
  return sql`
    INSERT INTO left_files (account_id, job_id, storage_key, location_id, upload_id, left_at, try_at)
    SELECT jobs.account_id, jobs.id, leaving.value ->> 'storageKey', jobs.storage_location_id,
      leaving.value ->> 'uploadId', ${now}, ${now + restMs}
    FROM ${from} WHERE true
    ON CONFLICT DO UPDATE SET upload_id = coalesce(excluded.upload_id, upload_id)`;
}

/** The next left files that are due within half a minute, soonest first. */
export async function findLeftFiles({
  database,
  clock,
}: Pick<Dependencies, "database" | "clock">): Promise<LeftFile[]> {
  const rows = await database.all(sql`
    SELECT account_id AS accountId, job_id AS jobId, storage_key AS storageKey, upload_id AS uploadId, left_at AS leftAt,
      try_at AS tryAt, ${locationJson(sql`location_id`)} AS location
    FROM left_files WHERE try_at <= ${clock() + restMs} ORDER BY try_at LIMIT ${filesAtOnce}`);
  return z.array(leftFileSchema).parse(rows);
}

/** Removes files whose objects are gone. */
export async function forgetLeftFiles(
  { database }: Pick<Dependencies, "database">,
  files: readonly LeftFile[],
): Promise<void> {
  await database.run(sql`
    DELETE FROM left_files
    WHERE (account_id, job_id, storage_key) IN (SELECT ${keyOfValue} FROM json_each(${JSON.stringify(files)}))`);
}

/** Makes files due again at `tryAt`, ms since the Unix epoch. */
export async function postponeLeftFiles(
  { database }: Pick<Dependencies, "database">,
  files: readonly LeftFile[],
  tryAt: number,
): Promise<void> {
  await database.run(sql`
    UPDATE left_files SET try_at = ${tryAt}
    WHERE (account_id, job_id, storage_key) IN (SELECT ${keyOfValue} FROM json_each(${JSON.stringify(files)}))`);
}

const keyOfValue = sql`value ->> 'accountId', value ->> 'jobId', value ->> 'storageKey'`;
