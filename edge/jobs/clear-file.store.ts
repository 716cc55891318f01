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
 * Removes the file from a job whose objects have been deleted: clears its key and releases the names, including those
 * of its sidecars, which stay unused for a while. The file's size remains. Does nothing if the key is not the one that
 * was deleted.
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
