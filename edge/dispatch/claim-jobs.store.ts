import { type SQL, sql } from "drizzle-orm";
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
import { smallestQueuedTurn } from "./queued-turns.store.ts";

/** Slots of a node that the claimer may fill. */
export interface SlotOffer {
  readonly nodeId: string;
  readonly slots: number;
}

const claimSchema = z.object({ accountId: z.string(), jobId: z.string(), claim: z.int() });

const claimedRowSchema = claimSchema
  .extend({
    url: z.string(),
    /** With options of a later version, which an edge of that version has accepted: the node refuses what it cannot do. */
    options: jsonColumn(encodingOptionsSchema.loose()),
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

/** One statement claims at most this many jobs: it looks at as many accounts, and as many jobs of each. */
const claimedAtOnce = 4;

/**
 * Assigns due jobs to nodes, each under a new claim, with the counters in the same transaction. Each slot goes to the
 * waiting account that has the fewest jobs running, then to the lowest turn, never beyond an account's own limit, and
 * some slots only to accounts that hold none. Returns one list per offer, in order, each with at most as many jobs as
 * the offer has slots. A job whose row holds something unknown to this version fails here without affecting the others.
 */
export async function claimJobs(
  dependencies: Dependencies,
  offers: readonly SlotOffer[],
): Promise<ClaimedRow[][]> {
  const { database, clock, newToken } = dependencies;
  const parts = offers.flatMap(({ nodeId, slots }, index) =>
    slotsOfParts(slots).map((some) => ({ index, nodeId, slots: some })),
  );
  const statements = parts.flatMap(({ nodeId, slots }) => {
    const now = clock();
    const token = newToken();
    const claim = sql`
      UPDATE jobs
      SET status = 'Processing', step = 'Downloading', claim = claim + 1, publishing = 0, report_sequence = 0,
        transition = ${token}, ready_at = NULL, node_id = ${nodeId}, claimed_at = ${now}, started_at = coalesce(started_at, ${now})
      WHERE (account_id, id) IN (${nextJobs(slots, now)})
      RETURNING account_id AS accountId, id AS jobId, claim, url, options, started_at AS startedAt,
        ${locationJson(sql`storage_location_id`)} AS location, storage_key AS storageKey, upload_id AS uploadId, file_size AS fileSize, media, sidecars,
        preferred_subtitle AS preferredSubtitle`;
    const count = sql`
      UPDATE account_counters
      SET pending = pending - claimed.jobs, processing = processing + claimed.jobs, queued_turn = ${smallestQueuedTurn}
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
  const claimed = offers.map((): ClaimedRow[] => []);
  for (const [part, { index }] of parts.entries()) {
    for (const row of results[3 * part] ?? []) {
      const read = claimedRowSchema.safeParse(row);
      if (read.success) claimed[index]?.push(read.data);
      else unreadable.push(failureOf(dependencies, claimSchema.parse(row), read.error));
    }
  }
  if (unreadable.length > 0) await applyChanges(dependencies, unreadable);
  return claimed;
}

function slotsOfParts(slots: number): number[] {
  const parts = Math.ceil(slots / claimedAtOnce);
  return Array.from({ length: parts }, (_, part) => Math.min(claimedAtOnce, slots - part * claimedAtOnce));
}

/**
 * The due jobs that come next, as many as there are slots. Only the first accounts in the order of their running jobs
 * and turns can be among them, and of each only its first due jobs: how many accounts and jobs wait behind those makes
 * no difference. `level`: how many jobs the account would then have running already.
 */
function nextJobs(slots: number, now: number): SQL {
  return sql`
    SELECT account_id, id FROM (
      SELECT waiting.account_id, due.value ->> 0 AS id, processing + due.key AS level,
        row_number() OVER (ORDER BY processing + due.key, due.value ->> 1) AS place
      FROM (
        SELECT account_id, processing, running_limit FROM account_counters INDEXED BY account_counters_waiting
        WHERE queued_turn IS NOT NULL AND (running_limit IS NULL OR processing < running_limit)
          AND EXISTS (${dueJobsOf(sql`account_counters`, now)})
        ORDER BY processing, queued_turn LIMIT ${slots}
      ) AS waiting
      CROSS JOIN json_each((
        SELECT json_group_array(json_array(id, turn))
        FROM (${dueJobsOf(sql`waiting`, now)} ORDER BY turn LIMIT ${slots}))) AS due
      WHERE running_limit IS NULL OR processing + due.key < running_limit)
    WHERE place <= ${slots} AND (level = 0 OR place <= ${slotsForAll})`;
}

function dueJobsOf(account: SQL, now: number): SQL {
  return sql`
    SELECT id, turn FROM jobs INDEXED BY jobs_queued
    WHERE jobs.account_id = ${account}.account_id AND status = 'Pending' AND ready_at <= ${now}`;
}

/**
 * How many of the free slots anyone may be given. Of all live slots one in eight, and at least one where there are two,
 * stays free for accounts that hold none. All of them while the registry has not said how many there are.
 */
const slotsForAll = sql`(
  SELECT CASE slots WHEN 0 THEN ${Number.MAX_SAFE_INTEGER} ELSE slots
    - CASE slots WHEN 1 THEN 0 ELSE max(1, slots / 8) END
    - (SELECT count(*) FROM jobs INDEXED BY jobs_in_work WHERE status = 'Processing') END
  FROM line)`;

function failureOf(
  { log }: Pick<Dependencies, "log">,
  { accountId, jobId, claim }: z.infer<typeof claimSchema>,
  error: z.ZodError,
): JobChange {
  log.error("A job's row cannot be read", { job_id: jobId, account_id: accountId, ...errorFields(error) });
  return { accountId, jobId, event: { type: "fail", claim, code: "internal" } };
}
