import { sql } from "drizzle-orm";
import { z } from "zod";
import { freedKeyRestMs } from "../../contracts/limits.ts";
import type { Dependencies } from "../dependencies.ts";
import { transact } from "../transact.ts";
import { freeNames } from "./free-names.store.ts";
import { type Choice, placesOfFile } from "./key-wish.ts";
import { leavingFiles } from "./leaving-files.ts";
import { insertLeftFiles } from "./left-files.store.ts";
import { namesOfFile } from "./reserved-names.ts";

/**
 * Reserves the chosen names for jobs whose claims are alive, if all of them are still free; returns the ids of the jobs
 * that got theirs. The job's previous names are released; the upload started under them, and objects that an earlier
 * attempt may have let appear there, are recorded for deletion.
 */
export async function holdKeys(
  { database, clock, newToken }: Pick<Dependencies, "database" | "clock" | "newToken">,
  choices: readonly Choice[],
): Promise<Set<string>> {
  if (choices.length === 0) return new Set();
  const now = clock();
  const list = JSON.stringify(
    choices.map(({ open: { wish }, job, storageKey }) => {
      return {
        accountId: job.accountId,
        jobId: job.jobId,
        claim: wish.claim,
        sequence: wish.sequence,
        locationId: job.locationId,
        seenKey: job.storageKey,
        storageKey,
        sidecarSuffixes: wish.sidecars.length === 0 ? null : JSON.stringify(wish.sidecars),
        names: namesOfFile(job.accountId, storageKey, wish.sidecars),
        places: placesOfFile(job, storageKey, wish.sidecars),
        // Names for which storage has someone else's object stay reserved, so that nobody runs into them again.
        freedNames:
          job.storageKey === null || job.storageKey === wish.taken
            ? []
            : namesOfFile(job.accountId, job.storageKey, job.sidecarSuffixes),
        seenUploadId: job.uploadId,
        leftFiles: leavingFiles(job),
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
        upload_id = NULL, report_sequence = coalesce(choice.value ->> 'sequence', report_sequence),
        transition = choice.value ->> 'token'
      FROM json_each(${list}) AS choice
      WHERE ${ownRow} AND jobs.status = 'Processing' AND jobs.claim = choice.value ->> 'claim'
        AND coalesce(choice.value ->> 'sequence', jobs.report_sequence) >= jobs.report_sequence
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
    ...(choices.some(({ job }) => job.storageKey !== null)
      ? [
          freeNames(
            sql`json_each(${list}) AS choice CROSS JOIN jobs ON ${isWritten}
              CROSS JOIN json_each(choice.value -> 'freedNames') AS freed`,
            now,
          ),
        ]
      : []),
    ...(choices.some(({ job }) => leavingFiles(job).length > 0)
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
