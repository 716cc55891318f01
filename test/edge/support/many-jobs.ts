import { sql } from "drizzle-orm";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { transact } from "../../../edge/transact.ts";
import { noOptions } from "../../contracts/no-options.ts";

/** The id of the nth of many jobs, from 1; later ones are newer. */
export function idOfMany(prefix: string, n: number): string {
  return `${prefix}-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

/**
 * Gives an account a long history in one statement, with matching counters: job n has the URL `https://many.example/<n,
 * 7 digits>` and, by n modulo 4, the status Pending, Processing, Completed or Failed. None is due. `prefix`: 8 and 4
 * hex digits, the beginning of the ids.
 */
export async function insertManyJobs(
  { database }: Pick<Dependencies, "database">,
  accountId: string,
  { count, prefix, batchId = null }: { count: number; prefix: string; batchId?: string | null },
): Promise<void> {
  const ofStatus = (rest: number) => Math.floor((count - rest + 4) / 4) - (rest === 0 ? 1 : 0);
  await transact(database, [
    sql`
      INSERT INTO jobs (account_id, id, batch_id, url, options, status, step, transition, turn, created_at,
        storage_location_id, storage_key, file_size)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      SELECT ${accountId}, printf('%s-7000-8000-%012x', ${prefix}, n), ${batchId},
        printf('https://many.example/%07d', n), ${JSON.stringify(noOptions)},
        CASE n % 4 WHEN 0 THEN 'Pending' WHEN 1 THEN 'Processing' WHEN 2 THEN 'Completed' ELSE 'Failed' END,
        'Queued', printf('%s-%d', ${prefix}, n), 0, n, 1, printf('%d.mp4', n), n
      FROM numbers`,
    sql`
      UPDATE account_counters SET jobs_created = jobs_created + ${count}, pending = pending + ${ofStatus(0)},
        processing = processing + ${ofStatus(1)}, completed = completed + ${ofStatus(2)},
        failed = failed + ${ofStatus(3)}
      WHERE account_id = ${accountId}`,
  ]);
}
