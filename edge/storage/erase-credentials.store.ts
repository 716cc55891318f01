import { type SQL, sql } from "drizzle-orm";
import type { Dependencies } from "../dependencies.ts";
import { transact } from "../transact.ts";

/** Between two checks of a location, and before the first: by then no job is on its way to it any more. */
const checkIntervalMs = 10 * 60 * 1000;
const locationsAtOnce = 10;
const jobsAtOnce = 500;

/**
 * A statement that retires the location of the account's new jobs, if it is a custom bucket: its credentials are erased
 * once nothing needs them. Has to precede the statement that gives the account another location.
 */
export function retireLocation(accountId: string, now: number): SQL {
  return sql`
    UPDATE storage_locations SET check_at = ${now + checkIntervalMs}, checked_through = ''
    WHERE id = (SELECT storage_location_id FROM accounts WHERE id = ${accountId})`;
}

interface FormerLocation {
  readonly id: number;
  readonly accountId: string;
  readonly checkAt: number;
  readonly checkedThrough: string;
}

/**
 * Erases the credentials of retired locations that hold no job's file, nor one still to be deleted, and that no
 * unfinished job will use. A step of the sweep: checks a few locations, each starting from the first job last seen to
 * need it, and a limited number of jobs. Jobs stop needing a retired location and never start to, so none is checked
 * twice. If this dies between its reads and writes, the next one repeats it.
 */
export async function eraseCredentials({
  database,
  clock,
}: Pick<Dependencies, "database" | "clock">): Promise<void> {
  const now = clock();
  const due = await database.all<FormerLocation>(sql`
    SELECT id, account_id AS accountId, check_at AS checkAt, checked_through AS checkedThrough
    FROM storage_locations WHERE check_at <= ${now} ORDER BY check_at LIMIT ${locationsAtOnce}`);
  if (due.length === 0) return;
  const writes: SQL[] = [];
  for (const location of due) writes.push(...afterLook(location, await lookAtJobs(database, location), now));
  await transact(database, writes);
}

interface SeenJob {
  readonly id: string;
  /** 1: it is unfinished or has a file, in this location. */
  readonly needs: number;
}

function lookAtJobs(
  database: Dependencies["database"],
  { id, accountId, checkedThrough }: FormerLocation,
): Promise<SeenJob[]> {
  return database.all<SeenJob>(sql`
    SELECT id, storage_location_id = ${id} AND status <> 'Failed'
      AND NOT (status = 'Completed' AND storage_key IS NULL) AS needs
    FROM jobs WHERE account_id = ${accountId} AND id >= ${checkedThrough} ORDER BY id LIMIT ${jobsAtOnce}`);
}

/**
 * Does nothing if the bucket has been configured again in the meantime. Objects still to be deleted need the
 * credentials too; they are recorded in the transaction that ends their job, so none is added after the last job.
 */
function afterLook({ id, accountId, checkAt }: FormerLocation, seen: readonly SeenJob[], now: number): SQL[] {
  const isSame = sql`id = ${id} AND check_at = ${checkAt}`;
  const needing = seen.find(({ needs }) => needs === 1);
  const checkedThrough = (needing ?? seen.at(-1))?.id ?? "";
  if (needing === undefined && seen.length === jobsAtOnce) {
    return [sql`UPDATE storage_locations SET checked_through = ${checkedThrough} WHERE ${isSame}`];
  }
  const erase = sql`
    UPDATE storage_locations SET access_key_id = NULL, secret_access_key = NULL, check_at = NULL
    WHERE ${isSame} AND NOT EXISTS (SELECT 1 FROM left_files WHERE account_id = ${accountId} AND location_id = ${id})`;
  const lookLater = sql`
    UPDATE storage_locations SET checked_through = ${checkedThrough}, check_at = ${now + checkIntervalMs}
    WHERE ${isSame}`;
  return needing === undefined ? [erase, lookLater] : [lookLater];
}
