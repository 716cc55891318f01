import { sql } from "drizzle-orm";
import { z } from "zod";
import { flagColumn, jsonColumn } from "../columns.ts";
import type { Dependencies } from "../dependencies.ts";
import type { KeyWish, WishedJob } from "./key-wish.ts";
import { managedAccountId } from "./storage.table.ts";

const rowSchema = z.object({
  accountId: z.string(),
  jobId: z.string(),
  folder: z.string().nullable(),
  filename: z.string().nullable(),
  storageKey: z.string().nullable(),
  sidecarSuffixes: jsonColumn(z.array(z.string())),
  uploadId: z.string().nullable(),
  leftKeys: jsonColumn(z.array(z.string())),
  wasPublished: flagColumn,
  locationId: z.int(),
  isManaged: flagColumn,
  owners: jsonColumn(z.array(z.tuple([z.int(), z.string()]))),
});

/**
 * The jobs of wishes by id, without those whose claim is dead, belongs to another node, or has asked something else
 * since.
 */
export async function findWishedJobs(
  { database }: Pick<Dependencies, "database">,
  nodeId: string,
  wishes: readonly KeyWish[],
): Promise<Map<string, WishedJob>> {
  const wanted = wishes.map(({ account_id, job_id, claim, sequence }) => ({
    account_id,
    job_id,
    claim,
    sequence,
  }));
  const rows = await database.all(sql`
    SELECT jobs.account_id AS accountId, jobs.id AS jobId, folder, filename, storage_key AS storageKey,
      coalesce(sidecar_suffixes, '[]') AS sidecarSuffixes, upload_id AS uploadId,
      (SELECT json_group_array(left_files.storage_key) FROM left_files
        WHERE left_files.account_id = jobs.account_id AND left_files.job_id = jobs.id) AS leftKeys,
      file_size IS NOT NULL AS wasPublished, storage_location_id AS locationId, storage_locations.account_id = ${managedAccountId} AS isManaged,
      CASE storage_locations.account_id WHEN ${managedAccountId}
        THEN json_array(json_array(storage_location_id, jobs.account_id)) ELSE (
        SELECT json_group_array(json_array(owned.id, owned.account_id)) FROM storage_locations AS owned
        WHERE owned.endpoint = storage_locations.endpoint AND owned.bucket = storage_locations.bucket
          AND owned.account_id <> ${managedAccountId}) END AS owners
    FROM json_each(${JSON.stringify(wanted)}) AS wish
    CROSS JOIN jobs ON jobs.account_id = wish.value ->> 'account_id' AND jobs.id = wish.value ->> 'job_id'
      AND jobs.claim = wish.value ->> 'claim' AND jobs.status = 'Processing' AND jobs.node_id = ${nodeId}
      AND coalesce(wish.value ->> 'sequence', report_sequence) >= report_sequence
    CROSS JOIN storage_locations ON storage_locations.id = storage_location_id`);
  return new Map(
    z
      .array(rowSchema)
      .parse(rows)
      .map((row) => [row.jobId, row]),
  );
}
