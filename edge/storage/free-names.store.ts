import { type SQL, sql } from "drizzle-orm";
import { freedKeyRestMs } from "../../contracts/limits.ts";
import type { Dependencies } from "../dependencies.ts";

/**
 * The statement that releases names at `now`, as far as their jobs hold them; `from` joins each name as `freed.value`
 * with its job's row in `jobs`.
 */
export function freeNames(from: SQL, now: number): SQL {
  return sql`
    UPDATE reserved_keys SET freed_at = ${now}
    WHERE (location_id, name, job_id) IN (SELECT jobs.storage_location_id, freed.value, jobs.id FROM ${from})`;
}

/** The statement that deletes names at once, as far as their jobs hold them; `from` as for `freeNames`. */
export function forgetNames(from: SQL): SQL {
  return sql`
    DELETE FROM reserved_keys
    WHERE (location_id, name, job_id) IN (SELECT jobs.storage_location_id, freed.value, jobs.id FROM ${from})`;
}

const deletedAtOnce = 500;

/** Deletes released names whose waiting time is over, so that anyone can use them, a limited number at a time. */
export async function deleteFreedNames({
  database,
  clock,
}: Pick<Dependencies, "database" | "clock">): Promise<void> {
  await database.run(sql`
    DELETE FROM reserved_keys WHERE (location_id, name) IN (
      SELECT location_id, name FROM reserved_keys INDEXED BY reserved_keys_freed
      WHERE freed_at <= ${clock() - freedKeyRestMs} LIMIT ${deletedAtOnce})`);
}
