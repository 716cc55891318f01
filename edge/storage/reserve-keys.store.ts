import { sql } from "drizzle-orm";
import { z } from "zod";
import { freedKeyRestMs } from "../../contracts/limits.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import type { Dependencies } from "../dependencies.ts";
import { transact } from "../transact.ts";
import { objectKeyOf, prefixBytesOf } from "./object-key.ts";
import { reservedName } from "./reserved-name.ts";
import { storageKeyCandidate } from "./storage-key.ts";
import { managedAccountId } from "./storage.table.ts";

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
  readonly isManaged: boolean;
}

/** A wish that is not settled yet; numbers of its name below `number` are known to be held. */
interface OpenWish {
  readonly index: number;
  readonly wish: KeyWish;
  number: number;
}

interface Choice {
  readonly open: OpenWish;
  readonly row: Row;
  readonly storageKey: string;
}

type StoreDependencies = Pick<Dependencies, "database" | "clock" | "newToken">;

const numbersAtOnce = 20;
const roundsMax = 500;

/**
 * Gives each job the first free key of its name in its location, and keeps it for the job over all its attempts. Null
 * where the claim is dead. A key is held in the database before anything is uploaded under it.
 */
export async function reserveKeys(
  dependencies: StoreDependencies,
  wishes: readonly KeyWish[],
): Promise<(ReservedKey | null)[]> {
  const answers = wishes.map((): ReservedKey | null => null);
  let open = wishes.map((wish, index): OpenWish => ({ index, wish, number: 1 }));
  for (let round = 0; open.length > 0; round += 1) {
    if (round === roundsMax) throw new Error("No free key was found for a file's name");
    const rows = await readRows(
      dependencies,
      open.map(({ wish }) => wish),
    );
    const unkept: { open: OpenWish; row: Row }[] = [];
    for (const one of open) {
      const row = rows.get(one.wish.job_id);
      if (row === undefined) continue;
      if (row.storageKey === null || !isStillRight(row.storageKey, one.wish)) unkept.push({ open: one, row });
      else answers[one.index] = keyOf(row, row.storageKey);
    }
    const choices = await chooseFree(dependencies, unkept);
    const held = await hold(dependencies, choices);
    for (const { open: one, row, storageKey } of choices) {
      if (held.has(row.jobId)) answers[one.index] = keyOf(row, storageKey);
    }
    open = unkept.filter(({ row }) => !held.has(row.jobId)).map(({ open: one }) => one);
  }
  return answers;
}

function isStillRight(storageKey: string, { extension, taken }: KeyWish): boolean {
  return storageKey !== taken && storageKey.endsWith(`.${extension}`);
}

function keyOf(row: Row, storageKey: string): ReservedKey {
  return { storage_key: storageKey, object_key: objectKeyOf(row, row, storageKey) };
}

async function readRows(
  { database }: StoreDependencies,
  wishes: readonly KeyWish[],
): Promise<Map<string, Row>> {
  const rows = await database.all<Omit<Row, "isManaged"> & { isManaged: number }>(sql`
    SELECT jobs.account_id AS accountId, jobs.id AS jobId, folder, filename, storage_key AS storageKey,
      storage_location_id AS locationId, storage_locations.account_id = ${managedAccountId} AS isManaged
    FROM json_each(${JSON.stringify(wishes)}) AS wish
    CROSS JOIN jobs ON jobs.account_id = wish.value ->> 'account_id' AND jobs.id = wish.value ->> 'job_id'
      AND jobs.claim = wish.value ->> 'claim' AND jobs.status = 'Processing'
    CROSS JOIN storage_locations ON storage_locations.id = storage_location_id`);
  return new Map(rows.map((row) => [row.jobId, { ...row, isManaged: row.isManaged === 1 }]));
}

/** For each wish the first number of its name that nobody holds and no wish before it has chosen; none found: none. */
async function chooseFree(
  { database, clock }: StoreDependencies,
  wishes: readonly { open: OpenWish; row: Row }[],
): Promise<Choice[]> {
  const candidates = wishes.map(({ open: { wish, number }, row }) =>
    Array.from({ length: numbersAtOnce }, (_, step) =>
      storageKeyCandidate(
        {
          folder: row.folder,
          filename: row.filename,
          title: wish.title,
          jobId: row.jobId,
          extension: wish.extension,
          prefixBytes: prefixBytesOf(row),
        },
        number + step,
      ),
    ),
  );
  const placeOf = (row: Row, storageKey: string) =>
    JSON.stringify([row.locationId, reservedName(row.accountId, storageKey)]);
  const places = new Set(
    wishes.flatMap(({ row }, index) => (candidates[index] ?? []).map((key) => placeOf(row, key))),
  );
  const heldRows = await database.all<{ locationId: number; name: string }>(sql`
    SELECT location_id AS locationId, name FROM json_each(${`[${[...places].join(",")}]`}) AS place
    CROSS JOIN reserved_keys ON location_id = place.value ->> 0 AND name = place.value ->> 1
    WHERE freed_at IS NULL OR freed_at > ${clock() - freedKeyRestMs}`);
  const unavailable = new Set(heldRows.map(({ locationId, name }) => JSON.stringify([locationId, name])));

  return wishes.flatMap(({ open, row }, index) => {
    const storageKey = candidates[index]?.find((key) => !unavailable.has(placeOf(row, key)));
    if (storageKey === undefined) {
      open.number += numbersAtOnce;
      return [];
    }
    unavailable.add(placeOf(row, storageKey));
    return [{ open, row, storageKey }];
  });
}

/** Takes the names whose jobs' claims live and that are still free; answers the ids of the jobs that got theirs. */
async function hold(
  { database, clock, newToken }: StoreDependencies,
  choices: readonly Choice[],
): Promise<Set<string>> {
  if (choices.length === 0) return new Set();
  const now = clock();
  const list = JSON.stringify(
    choices.map(({ open: { wish }, row, storageKey }) => ({
      accountId: row.accountId,
      jobId: row.jobId,
      claim: wish.claim,
      locationId: row.locationId,
      seenKey: row.storageKey,
      storageKey,
      name: reservedName(row.accountId, storageKey),
      // A name that storage holds for somebody else stays held, so that nobody runs into it again.
      freedName:
        row.storageKey === null || row.storageKey === wish.taken
          ? null
          : reservedName(row.accountId, row.storageKey),
      token: newToken(),
    })),
  );
  const claimLives = sql`jobs.account_id = choice.value ->> 'accountId' AND jobs.id = choice.value ->> 'jobId'
    AND jobs.status = 'Processing' AND jobs.claim = choice.value ->> 'claim'
    AND jobs.storage_key IS choice.value ->> 'seenKey'`;
  const [, updated] = await transact(database, [
    sql`
      INSERT INTO reserved_keys (location_id, name, job_id, freed_at)
      SELECT choice.value ->> 'locationId', choice.value ->> 'name', jobs.id, NULL
      FROM json_each(${list}) AS choice CROSS JOIN jobs ON ${claimLives}
      WHERE true
      ON CONFLICT DO UPDATE SET job_id = excluded.job_id, freed_at = NULL
      WHERE freed_at <= ${now - freedKeyRestMs}`,
    sql`
      UPDATE jobs
      SET storage_key = choice.value ->> 'storageKey', upload_id = NULL, transition = choice.value ->> 'token'
      FROM json_each(${list}) AS choice
      WHERE ${claimLives} AND EXISTS (
        SELECT 1 FROM reserved_keys
        WHERE location_id = choice.value ->> 'locationId' AND name = choice.value ->> 'name'
          AND job_id = jobs.id AND freed_at IS NULL)
      RETURNING jobs.id`,
    sql`
      UPDATE reserved_keys SET freed_at = ${now}
      FROM json_each(${list}) AS choice
      CROSS JOIN jobs ON jobs.account_id = choice.value ->> 'accountId' AND jobs.id = choice.value ->> 'jobId'
        AND jobs.transition = choice.value ->> 'token'
      WHERE reserved_keys.location_id = choice.value ->> 'locationId'
        AND reserved_keys.name = choice.value ->> 'freedName' AND reserved_keys.job_id = jobs.id`,
  ]);
  return new Set(
    z
      .array(z.object({ id: z.string() }))
      .parse(updated)
      .map(({ id }) => id),
  );
}
