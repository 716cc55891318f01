import { sql } from "drizzle-orm";
import { z } from "zod";
import { encodingOptionsSchema } from "../../contracts/encoding-options.ts";
import { fileFactsSchema } from "../../contracts/file-facts.ts";
import { jsonColumn } from "../columns.ts";
import type { Dependencies } from "../dependencies.ts";
import { applyChanges } from "../jobs/apply-changes.ts";
import type { JobChange } from "../jobs/job-change.ts";
import { errorFields } from "../log.ts";
import { locationFromJson, locationJson } from "../storage/storage-location.store.ts";
import { transact } from "../transact.ts";

/** Slots of a node that the claimer may fill. */
export interface SlotOffer {
  readonly nodeId: string;
  readonly slots: number;
}

const claimSchema = z.object({ accountId: z.string(), jobId: z.string(), claim: z.int() });

const claimedRowSchema = claimSchema
  .extend({
    url: z.string(),
    options: jsonColumn(encodingOptionsSchema),
    startedAt: z.int(),
    location: locationFromJson,
    storageKey: z.string().nullable(),
    uploadId: z.string().nullable(),
    fileSize: z.int().nullable(),
    media: jsonColumn(z.unknown()).nullable(),
    sidecars: jsonColumn(z.unknown()).nullable(),
    preferredSubtitle: z.string().nullable(),
  })
  .transform(({ fileSize, media, sidecars, preferredSubtitle, ...row }) => ({
    ...row,
    /** From an earlier attempt that was allowed to publish. */
    facts:
      fileSize === null
        ? null
        : fileFactsSchema.parse({
            file_size: fileSize,
            media,
            sidecars,
            preferred_subtitle: preferredSubtitle,
          }),
  }));
export type ClaimedRow = Readonly<z.infer<typeof claimedRowSchema>>;

/**
 * Assigns due jobs to nodes, lowest turn first, each under a new claim, with the counters in the same transaction.
 * Returns one list per offer, in order, each with at most as many jobs as the offer has slots. A job whose row holds
 * something unknown to this version fails here without affecting the others.
 */
export async function claimJobs(
  dependencies: Dependencies,
  offers: readonly SlotOffer[],
): Promise<ClaimedRow[][]> {
  const { database, clock, newToken } = dependencies;
  const statements = offers.flatMap(({ nodeId, slots }) => {
    const now = clock();
    const token = newToken();
    const claim = sql`
      UPDATE jobs
      SET status = 'Processing', step = 'Downloading', claim = claim + 1, publishing = 0, report_sequence = 0,
        transition = ${token}, ready_at = NULL, node_id = ${nodeId}, claimed_at = ${now}, started_at = coalesce(started_at, ${now})
      WHERE (account_id, id) IN (
        SELECT account_id, id FROM jobs WHERE status = 'Pending' AND ready_at <= ${now} ORDER BY turn LIMIT ${slots})
      RETURNING account_id AS accountId, id AS jobId, claim, url, options, started_at AS startedAt,
        ${locationJson(sql`storage_location_id`)} AS location, storage_key AS storageKey, upload_id AS uploadId, file_size AS fileSize, media, sidecars,
        preferred_subtitle AS preferredSubtitle`;
    const count = sql`
      UPDATE account_counters SET pending = pending - claimed.jobs, processing = processing + claimed.jobs
      FROM (
        SELECT account_id, count(*) AS jobs FROM jobs WHERE status = 'Processing' AND transition = ${token}
        GROUP BY account_id
      ) AS claimed
      WHERE account_counters.account_id = claimed.account_id`;
    const moveLine = sql`
      UPDATE line SET claimed_turn = claimed.turn
      FROM (SELECT max(turn) AS turn FROM jobs WHERE status = 'Processing' AND transition = ${token}) AS claimed
      WHERE claimed.turn > line.claimed_turn`;
    return [claim, count, moveLine];
  });
  if (statements.length === 0) return [];
  const results = await transact(database, statements);
  const unreadable: JobChange[] = [];
  const claimed = offers.map((_, index) =>
    (results[3 * index] ?? []).flatMap((row) => {
      const read = claimedRowSchema.safeParse(row);
      if (read.success) return [read.data];
      unreadable.push(failureOf(dependencies, claimSchema.parse(row), read.error));
      return [];
    }),
  );
  if (unreadable.length > 0) await applyChanges(dependencies, unreadable);
  return claimed;
}

function failureOf(
  { log }: Pick<Dependencies, "log">,
  { accountId, jobId, claim }: z.infer<typeof claimSchema>,
  error: z.ZodError,
): JobChange {
  log.error("A job's row cannot be read", { job_id: jobId, account_id: accountId, ...errorFields(error) });
  return { accountId, jobId, event: { type: "fail", claim, code: "internal" } };
}
