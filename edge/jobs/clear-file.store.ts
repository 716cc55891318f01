import { sql } from "drizzle-orm";
import type { Dependencies } from "../dependencies.ts";
import { reservedName } from "../storage/reserved-name.ts";
import { transact } from "../transact.ts";

/**
 * Takes the file from a job whose objects are deleted: its key is cleared, and the name freed, which rests before it is
 * given out again. Its size stays. Changes nothing when the key is not the one that was deleted.
 */
export async function clearFile(
  { database, clock, newToken }: Pick<Dependencies, "database" | "clock" | "newToken">,
  { accountId, id, storageKey }: { accountId: string; id: string; storageKey: string },
): Promise<void> {
  const token = newToken();
  await transact(database, [
    sql`
      UPDATE jobs SET storage_key = NULL, transition = ${token}
      WHERE account_id = ${accountId} AND id = ${id} AND status = 'Completed' AND storage_key = ${storageKey}`,
    sql`
      UPDATE reserved_keys SET freed_at = ${clock()}
      FROM jobs
      WHERE jobs.account_id = ${accountId} AND jobs.id = ${id} AND jobs.transition = ${token}
        AND reserved_keys.location_id = jobs.storage_location_id
        AND reserved_keys.name = ${reservedName(accountId, storageKey)} AND reserved_keys.job_id = jobs.id`,
  ]);
}
