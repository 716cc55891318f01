import { sql } from "drizzle-orm";
import type { Sidecar } from "../../contracts/file-facts.ts";
import type { JobState } from "../../contracts/job-lifecycle.ts";
import type { Dependencies } from "../dependencies.ts";

/** A job's row as it was read, with all that an event may depend on. */
export interface SeenJob {
  readonly accountId: string;
  readonly jobId: string;
  readonly batchId: string | null;
  readonly state: JobState;
  /** Changes with every write of a transition: the row is as seen while it carries this. */
  readonly transition: string;
  readonly reportSequence: number;
  /** The process that the job was claimed for; null while nobody is working on it. */
  readonly nodeId: string | null;
  readonly readyAt: number | null;
  readonly storageKey: string | null;
  readonly sidecarSuffixes: readonly string[];
  /** The upload most recently reported by any attempt. */
  readonly uploadId: string | null;
  /** Some attempt was allowed to let the file appear. */
  readonly wasPublished: boolean;
  readonly sidecars: readonly Pick<Sidecar, "storage_key">[];
  readonly storedBytes: number;
  /** Start of the account's billing periods; null if it has none, or the job cannot complete next. */
  readonly billingStart: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly container: string | null;
}

/** Reads jobs by their ids; those that their accounts do not have are missing. */
export async function readJobs(
  { database }: Pick<Dependencies, "database">,
  jobs: readonly { readonly accountId: string; readonly jobId: string }[],
): Promise<Map<string, SeenJob>> {
  const wanted = JSON.stringify(jobs.map(({ accountId, jobId }) => ({ accountId, jobId })));
  const rows = await database.all<SelectedRow>(sql`
    SELECT jobs.account_id AS accountId, jobs.id AS jobId, batch_id AS batchId, status, step, claim, interruptions, publishing, transition,
      report_sequence AS reportSequence, node_id AS nodeId, ready_at AS readyAt, storage_key AS storageKey, sidecar_suffixes AS sidecarSuffixes, upload_id AS uploadId,
      file_size IS NOT NULL AS wasPublished, sidecars, created_at AS createdAt, started_at AS startedAt, media ->> 'container' AS container,
      coalesce(file_size, 0)
        + (SELECT coalesce(sum(value ->> 'bytes'), 0) FROM json_each(coalesce(sidecars, '[]'))) AS storedBytes,
      CASE publishing WHEN 1 THEN (SELECT billing_start FROM accounts WHERE id = jobs.account_id) END AS billingStart
    FROM json_each(${wanted}) AS wanted
    CROSS JOIN jobs ON jobs.account_id = wanted.value ->> 'accountId' AND jobs.id = wanted.value ->> 'jobId'`);
  return new Map(rows.map((row) => [row.jobId, seenJob(row)]));
}

/** Lists are JSON, null if empty; truths are 0 or 1. */
type SelectedRow = Omit<SeenJob, "state" | "sidecarSuffixes" | "wasPublished" | "sidecars"> &
  Omit<JobState, "publishing"> & {
    readonly publishing: number;
    readonly sidecarSuffixes: string | null;
    readonly wasPublished: number;
    readonly sidecars: string | null;
  };

function seenJob({ status, step, claim, interruptions, publishing, ...row }: SelectedRow): SeenJob {
  return {
    ...row,
    state: { status, step, claim, interruptions, publishing: publishing === 1 },
    sidecarSuffixes: JSON.parse(row.sidecarSuffixes ?? "[]"),
    wasPublished: row.wasPublished === 1,
    sidecars: JSON.parse(row.sidecars ?? "[]"),
  };
}
