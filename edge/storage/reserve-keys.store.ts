import { sql } from "drizzle-orm";
import { freedKeyRestMs, managedPrefixBytes } from "../../contracts/limits.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import type { Dependencies } from "../dependencies.ts";
import { managedObjectKey } from "./object-key.ts";
import { reservedName } from "./reserved-name.ts";
import { storageKeyCandidate } from "./storage-key.ts";

export interface KeyWish extends ClaimedJob {
  readonly title: string | null;
  readonly extension: string;
  /** A key of this job that storage turned out to hold already. */
  readonly taken: string | null;
}

export interface ReservedKey {
  readonly storage_key: string;
  readonly object_key: string;
}

interface Row {
  readonly accountId: string;
  readonly jobId: string;
  readonly folder: string | null;
  readonly filename: string | null;
  readonly storageKey: string | null;
  readonly locationId: number;
}

const candidatesAtOnce = 20;
const roundsMax = 500;

/**
 * Gives each job the first free key of its name in its location, and keeps it for the job over all its attempts. Null
 * where the claim is dead. A key is held in the database before anything is uploaded under it.
 */
export async function reserveKeys(
  dependencies: Pick<Dependencies, "database" | "clock" | "newToken">,
  wishes: readonly KeyWish[],
): Promise<(ReservedKey | null)[]> {
  return Promise.all(wishes.map((wish) => reserveKey(dependencies, wish)));
}

async function reserveKey(
  dependencies: Pick<Dependencies, "database" | "clock" | "newToken">,
  wish: KeyWish,
): Promise<ReservedKey | null> {
  let firstNumber = 1;
  for (let round = 0; round < roundsMax; round += 1) {
    const row = await readRow(dependencies, wish);
    if (row === undefined) return null;
    if (row.storageKey !== null && isStillRight(row.storageKey, wish)) return keyOf(row, row.storageKey);

    const candidates = Array.from({ length: candidatesAtOnce }, (_, index) =>
      storageKeyCandidate(
        {
          folder: row.folder,
          filename: row.filename,
          title: wish.title,
          jobId: row.jobId,
          extension: wish.extension,
          prefixBytes: managedPrefixBytes,
        },
        firstNumber + index,
      ),
    );
    const free = await firstFree(dependencies, row, candidates);
    if (free === undefined) firstNumber += candidatesAtOnce;
    else if (await hold(dependencies, row, wish, free)) return keyOf(row, free);
  }
  throw new Error("No free key was found for a file's name");
}

function isStillRight(storageKey: string, { extension, taken }: KeyWish): boolean {
  return storageKey !== taken && storageKey.endsWith(`.${extension}`);
}

function keyOf({ accountId, jobId }: Row, storageKey: string): ReservedKey {
  return { storage_key: storageKey, object_key: managedObjectKey(accountId, jobId, storageKey) };
}

async function readRow(
  { database }: Pick<Dependencies, "database">,
  wish: KeyWish,
): Promise<Row | undefined> {
  const [row] = await database.all<Row>(sql`
    SELECT account_id AS accountId, id AS jobId, folder, filename, storage_key AS storageKey,
      storage_location_id AS locationId
    FROM jobs
    WHERE account_id = ${wish.account_id} AND id = ${wish.job_id} AND status = 'Processing' AND claim = ${wish.claim}`);
  return row;
}

async function firstFree(
  { database, clock }: Pick<Dependencies, "database" | "clock">,
  row: Row,
  candidates: readonly string[],
): Promise<string | undefined> {
  const names = candidates.map((candidate) => reservedName(row.accountId, candidate));
  const taken = await database.all<{ name: string }>(sql`
    SELECT reserved_keys.name FROM json_each(${JSON.stringify(names)}) AS wanted
    CROSS JOIN reserved_keys
      ON reserved_keys.location_id = ${row.locationId} AND reserved_keys.name = wanted.value
    WHERE freed_at IS NULL OR freed_at > ${clock() - freedKeyRestMs}`);
  const takenNames = new Set(taken.map(({ name }) => name));
  return candidates.find((_, index) => !takenNames.has(names[index] ?? ""));
}

/** Takes the name for the job while its claim lives and the name is free; false when either no longer holds. */
async function hold(
  { database, clock, newToken }: Pick<Dependencies, "database" | "clock" | "newToken">,
  row: Row,
  wish: KeyWish,
  storageKey: string,
): Promise<boolean> {
  const name = reservedName(row.accountId, storageKey);
  const now = clock();
  const claimLives = sql`account_id = ${row.accountId} AND id = ${row.jobId} AND status = 'Processing'
    AND claim = ${wish.claim} AND storage_key IS ${row.storageKey}`;
  // A name that storage holds for somebody else stays held, so that nobody runs into it again.
  const freed = row.storageKey !== null && row.storageKey !== wish.taken ? row.storageKey : null;
  const [, updated] = await database.batch([
    database.run(sql`
      INSERT INTO reserved_keys (location_id, name, job_id, freed_at)
      SELECT ${row.locationId}, ${name}, id, NULL FROM jobs WHERE ${claimLives}
      ON CONFLICT DO UPDATE SET job_id = excluded.job_id, freed_at = NULL
      WHERE freed_at <= ${now - freedKeyRestMs}`),
    database.all<{ id: string }>(sql`
      UPDATE jobs SET storage_key = ${storageKey}, upload_id = NULL, transition = ${newToken()}
      WHERE ${claimLives} AND EXISTS (
        SELECT 1 FROM reserved_keys
        WHERE location_id = ${row.locationId} AND name = ${name} AND job_id = ${row.jobId} AND freed_at IS NULL)
      RETURNING id`),
    ...(freed === null
      ? []
      : [
          database.run(sql`
            UPDATE reserved_keys SET freed_at = ${now}
            WHERE location_id = ${row.locationId} AND name = ${reservedName(row.accountId, freed)}
              AND job_id = ${row.jobId}
              AND EXISTS (SELECT 1 FROM jobs WHERE account_id = ${row.accountId} AND id = ${row.jobId}
                AND storage_key = ${storageKey})`),
        ]),
  ]);
  return updated.length > 0;
}
