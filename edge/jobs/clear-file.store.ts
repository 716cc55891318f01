import { sql } from "drizzle-orm";
import type { Dependencies } from "../dependencies.ts";
import { freeNames } from "../storage/free-names.store.ts";
import { namesOfFile } from "../storage/reserved-names.ts";
import { transact } from "../transact.ts";
import type { JobRow } from "./find-job.store.ts";

interface StoredFile extends Pick<JobRow, "accountId" | "id" | "sidecarSuffixes"> {
  readonly storageKey: string;
}

/**
 * Takes the file from a job whose objects are deleted: its key is cleared, and the names freed, its sidecars' too, which
 * rest before they are given out again. Its size stays. Changes nothing when the key is not the one that was deleted.
 */
export async function clearFile(
  { database, clock, newToken }: Pick<Dependencies, "database" | "clock" | "newToken">,
  { accountId, id, storageKey, sidecarSuffixes }: StoredFile,
): Promise<void> {
  const token = newToken();
  const names = JSON.stringify(namesOfFile(accountId, storageKey, sidecarSuffixes ?? []));
  await transact(database, [
    sql`
      UPDATE jobs SET storage_key = NULL, transition = ${token}
      WHERE account_id = ${accountId} AND id = ${id} AND status = 'Completed' AND storage_key = ${storageKey}`,
    freeNames(
      sql`json_each(${names}) AS freed CROSS JOIN jobs
        ON jobs.account_id = ${accountId} AND jobs.id = ${id} AND jobs.transition = ${token}`,
      clock(),
    ),
  ]);
}
