import { type SQL, sql } from "drizzle-orm";

/**
 * The statement that frees names at `now`, as far as their jobs hold them; `from` joins each name as `freed.value` with
 * the row of its job in `jobs`.
 */
export function freeNames(from: SQL, now: number): SQL {
  return sql`
    UPDATE reserved_keys SET freed_at = ${now}
    WHERE (location_id, name, job_id) IN (SELECT jobs.storage_location_id, freed.value, jobs.id FROM ${from})`;
}
