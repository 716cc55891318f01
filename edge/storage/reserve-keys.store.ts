import { sql } from "drizzle-orm";
import { z } from "zod";
import { freedKeyRestMs } from "../../contracts/limits.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import { flagColumn, jsonColumn } from "../columns.ts";
import type { Dependencies } from "../dependencies.ts";
import { transact } from "../transact.ts";
import { freeNames } from "./free-names.store.ts";
import { leavingFiles } from "./leaving-files.ts";
import { insertLeftFiles } from "./left-files.store.ts";
import { objectKeyOf, prefixBytesOf } from "./object-key.ts";
import { namesOfFile } from "./reserved-names.ts";
import { storageKeyCandidate } from "./storage-key.ts";
import { managedAccountId } from "./storage.table.ts";

export interface KeyWish extends ClaimedJob {
  readonly title: string | null;
  readonly extension: string;
  /** A key of this job for which storage turned out to have an object already, for the file or one of its sidecars. */
  readonly taken: string | null;
  /** Suffixes of possible sidecars: their keys are reserved along with the file's. */
  readonly sidecars: readonly string[];
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
  readonly sidecarSuffixes: readonly string[];
  readonly uploadId: string | null;
  /** Some attempt was allowed to let objects appear under the key. */
  readonly wasPublished: boolean;
  readonly locationId: number;
  readonly isManaged: boolean;
  /**
   * Who must not hold a name: the account, and for a custom bucket every other account that has configured the same
   * one.
   */
  readonly owners: readonly (readonly [locationId: number, accountId: string])[];
}

/** A name in a location. */
type Place = readonly [locationId: number, name: string];

/** An unsettled wish; numbers of its name below `number` are known to be taken. */
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

/**
 * How many names are looked up per round for one wish, and for all: each takes a kilobyte of the 2 MB a statement
 * binds.
 */
const namesAtOnce = 20;
const namesInRound = 1000;
const roundsMax = 500;

/**
 * Gives each job the first number of its name in its bucket at which its own key and those of all its sidecars are
 * free, and reserves them for all of the job's attempts. Null if the claim is dead, or belongs to another node. Keys
 * are reserved in the database before anything is uploaded under them.
 */
export async function reserveKeys(
  dependencies: StoreDependencies,
  nodeId: string,
  wishes: readonly KeyWish[],
): Promise<(ReservedKey | null)[]> {
  const answers = wishes.map((): ReservedKey | null => null);
  let open = wishes.map((wish, index): OpenWish => ({ index, wish, number: 1 }));
  for (let round = 0; open.length > 0; round += 1) {
    if (round === roundsMax) throw new Error("No free key was found for a file's name");
    const now = firstOf(open);
    const rows = await readRows(
      dependencies,
      nodeId,
      now.map(({ wish }) => wish),
    );
    const unkept: { open: OpenWish; row: Row }[] = [];
    for (const one of now) {
      const row = rows.get(one.wish.job_id);
      if (row === undefined) continue;
      if (row.storageKey === null || !isStillRight(row.storageKey, row, one.wish))
        unkept.push({ open: one, row });
      else answers[one.index] = keyOf(row, row.storageKey);
    }
    const choices = await chooseFree(dependencies, unkept);
    const held = await hold(dependencies, choices);
    for (const { open: one, row, storageKey } of choices) {
      if (held.has(row.jobId)) answers[one.index] = keyOf(row, storageKey);
    }
    const unsettled = unkept.filter(({ row }) => !held.has(row.jobId)).map(({ open: one }) => one);
    open = [...unsettled, ...open.slice(now.length)];
  }
  return answers;
}

/** As many of the wishes as one round can look up. */
function firstOf(open: readonly OpenWish[]): OpenWish[] {
  let names = 0;
  return open.filter((one) => {
    names += numbersTried(one) * (1 + one.wish.sidecars.length);
    return names <= namesInRound;
  });
}

/** Most names are free as they are: the first is looked up alone, since D1 bills each name as a row. */
function numbersTried({ wish: { sidecars }, number }: OpenWish): number {
  return number === 1 ? 1 : Math.max(1, Math.floor(namesAtOnce / (1 + sidecars.length)));
}

function isStillRight(storageKey: string, row: Row, { extension, taken, sidecars }: KeyWish): boolean {
  if (storageKey === taken || !storageKey.endsWith(`.${extension}`)) return false;
  return sidecars.every((suffix) => row.sidecarSuffixes.includes(suffix));
}

function keyOf(row: Row, storageKey: string): ReservedKey {
  return { storage_key: storageKey, object_key: objectKeyOf(row, row, storageKey) };
}

const rowSchema = z.object({
  accountId: z.string(),
  jobId: z.string(),
  folder: z.string().nullable(),
  filename: z.string().nullable(),
  storageKey: z.string().nullable(),
  sidecarSuffixes: jsonColumn(z.array(z.string())),
  uploadId: z.string().nullable(),
  wasPublished: flagColumn,
  locationId: z.int(),
  isManaged: flagColumn,
  owners: jsonColumn(z.array(z.tuple([z.int(), z.string()]))),
});

async function readRows(
  { database }: StoreDependencies,
  nodeId: string,
  wishes: readonly KeyWish[],
): Promise<Map<string, Row>> {
  const wanted = wishes.map(({ account_id, job_id, claim }) => ({ account_id, job_id, claim }));
  const rows = await database.all(sql`
    SELECT jobs.account_id AS accountId, jobs.id AS jobId, folder, filename, storage_key AS storageKey,
      coalesce(sidecar_suffixes, '[]') AS sidecarSuffixes, upload_id AS uploadId,
      file_size IS NOT NULL AS wasPublished, storage_location_id AS locationId, storage_locations.account_id = ${managedAccountId} AS isManaged,
      CASE storage_locations.account_id WHEN ${managedAccountId}
        THEN json_array(json_array(storage_location_id, jobs.account_id)) ELSE (
        SELECT json_group_array(json_array(owned.id, owned.account_id)) FROM storage_locations AS owned
        WHERE owned.endpoint = storage_locations.endpoint AND owned.bucket = storage_locations.bucket
          AND owned.account_id <> ${managedAccountId}) END AS owners
    FROM json_each(${JSON.stringify(wanted)}) AS wish
    CROSS JOIN jobs ON jobs.account_id = wish.value ->> 'account_id' AND jobs.id = wish.value ->> 'job_id'
      AND jobs.claim = wish.value ->> 'claim' AND jobs.status = 'Processing' AND jobs.node_id = ${nodeId}
    CROSS JOIN storage_locations ON storage_locations.id = storage_location_id`);
  return new Map(
    z
      .array(rowSchema)
      .parse(rows)
      .map((row) => [row.jobId, row]),
  );
}

/** Where the names of a file, and of its possible sidecars, must be free. */
function placesOfFile(
  { owners }: Pick<Row, "owners">,
  storageKey: string,
  sidecarSuffixes: readonly string[],
): Place[] {
  return owners.flatMap(([locationId, accountId]) =>
    namesOfFile(accountId, storageKey, sidecarSuffixes).map((name): Place => [locationId, name]),
  );
}

/**
 * For each wish, the first number of its name that nobody holds and no earlier wish has chosen; missing if none was
 * found.
 */
async function chooseFree(
  { database, clock }: StoreDependencies,
  wishes: readonly { open: OpenWish; row: Row }[],
): Promise<Choice[]> {
  const candidates = wishes.map(({ open: one, row }) =>
    Array.from({ length: numbersTried(one) }, (_, step) =>
      storageKeyCandidate(
        {
          folder: row.folder,
          filename: row.filename,
          title: one.wish.title,
          jobId: row.jobId,
          extension: one.wish.extension,
          sidecarSuffixes: one.wish.sidecars,
          prefixBytes: prefixBytesOf(row),
        },
        one.number + step,
      ),
    ),
  );
  const placesOf = ({ open: { wish }, row }: { open: OpenWish; row: Row }, storageKey: string) =>
    placesOfFile(row, storageKey, wish.sidecars).map((place) => JSON.stringify(place));
  const places = new Set(
    wishes.flatMap((one, index) => (candidates[index] ?? []).flatMap((key) => placesOf(one, key))),
  );
  const heldRows = await database.all<{ locationId: number; name: string }>(sql`
    SELECT location_id AS locationId, name FROM json_each(${`[${[...places].join(",")}]`}) AS place
    CROSS JOIN reserved_keys ON location_id = place.value ->> 0 AND name = place.value ->> 1
    WHERE freed_at IS NULL OR freed_at > ${clock() - freedKeyRestMs}`);
  const unavailable = new Set(heldRows.map(({ locationId, name }) => JSON.stringify([locationId, name])));

  return wishes.flatMap((one, index) => {
    const { open, row } = one;
    const storageKey = candidates[index]?.find((key) =>
      placesOf(one, key).every((place) => !unavailable.has(place)),
    );
    if (storageKey === undefined) {
      open.number += numbersTried(open);
      return [];
    }
    for (const place of placesOf(one, storageKey)) unavailable.add(place);
    return [{ open, row, storageKey }];
  });
}

/**
 * Reserves the chosen names for jobs whose claims are alive, if all of them are still free; returns the ids of the jobs
 * that got theirs. The job's previous names are released; the upload started under them, and objects that an earlier
 * attempt may have let appear there, are recorded for deletion.
 */
async function hold(
  { database, clock, newToken }: StoreDependencies,
  choices: readonly Choice[],
): Promise<Set<string>> {
  if (choices.length === 0) return new Set();
  const now = clock();
  const list = JSON.stringify(
    choices.map(({ open: { wish }, row, storageKey }) => {
      return {
        accountId: row.accountId,
        jobId: row.jobId,
        claim: wish.claim,
        locationId: row.locationId,
        seenKey: row.storageKey,
        storageKey,
        sidecarSuffixes: wish.sidecars.length === 0 ? null : JSON.stringify(wish.sidecars),
        names: namesOfFile(row.accountId, storageKey, wish.sidecars),
        places: placesOfFile(row, storageKey, wish.sidecars),
        // Names for which storage has someone else's object stay reserved, so that nobody runs into them again.
        freedNames:
          row.storageKey === null || row.storageKey === wish.taken
            ? []
            : namesOfFile(row.accountId, row.storageKey, row.sidecarSuffixes),
        seenUploadId: row.uploadId,
        leftFiles: leavingFiles(row),
        token: newToken(),
      };
    }),
  );
  const ownRow = sql`jobs.account_id = choice.value ->> 'accountId' AND jobs.id = choice.value ->> 'jobId'`;
  const isWritten = sql`${ownRow} AND jobs.transition = choice.value ->> 'token'`;
  const [updated] = await transact(database, [
    sql`
      UPDATE jobs
      SET storage_key = choice.value ->> 'storageKey', sidecar_suffixes = choice.value ->> 'sidecarSuffixes',
        upload_id = NULL, transition = choice.value ->> 'token'
      FROM json_each(${list}) AS choice
      WHERE ${ownRow} AND jobs.status = 'Processing' AND jobs.claim = choice.value ->> 'claim'
        AND jobs.storage_key IS choice.value ->> 'seenKey' AND jobs.upload_id IS choice.value ->> 'seenUploadId'
        AND NOT EXISTS (
          SELECT 1 FROM json_each(choice.value -> 'places') AS place
          CROSS JOIN reserved_keys AS held
            ON held.location_id = place.value ->> 0 AND held.name = place.value ->> 1
          WHERE held.freed_at IS NULL OR held.freed_at > ${now - freedKeyRestMs})
      RETURNING jobs.id`,
    sql`
      INSERT INTO reserved_keys (location_id, name, job_id, freed_at)
      SELECT choice.value ->> 'locationId', wanted.value, jobs.id, NULL
      FROM json_each(${list}) AS choice CROSS JOIN jobs ON ${isWritten}
      CROSS JOIN json_each(choice.value -> 'names') AS wanted
      WHERE true
      ON CONFLICT DO UPDATE SET job_id = excluded.job_id, freed_at = NULL`,
    ...(choices.some(({ row }) => row.storageKey !== null)
      ? [
          freeNames(
            sql`json_each(${list}) AS choice CROSS JOIN jobs ON ${isWritten}
              CROSS JOIN json_each(choice.value -> 'freedNames') AS freed`,
            now,
          ),
        ]
      : []),
    ...(choices.some(({ row }) => leavingFiles(row).length > 0)
      ? [
          insertLeftFiles(
            sql`json_each(${list}) AS choice CROSS JOIN jobs ON ${isWritten}
          CROSS JOIN json_each(choice.value -> 'leftFiles') AS leaving`,
            now,
          ),
        ]
      : []),
  ]);
  return new Set(
    z
      .array(z.object({ id: z.string() }))
      .parse(updated)
      .map(({ id }) => id),
  );
}
