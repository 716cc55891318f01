import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type JobStatus, jobStatuses } from "../../contracts/job-status.ts";
import type { Database } from "../dependencies.ts";
import { transact } from "../transact.ts";
import { type JobFilter, type JobPage, listedJobSchema, type PageRange } from "./listed-job.ts";

/** The columns of a listed job. A key is reserved, and a size known, before the file exists. */
export const listedColumns = sql`jobs.id, jobs.url, jobs.status, jobs.step, jobs.error,
  jobs.created_at, jobs.finished_at,
  CASE jobs.status WHEN 'Completed' THEN jobs.storage_key END AS storage_key,
  CASE jobs.status WHEN 'Completed' THEN jobs.file_size END AS file_size`;

/** A page of an account's jobs, newest first, and their total number. Reads the offset, the page and a few rows. */
export async function findJobs(
  database: Database,
  accountId: string,
  filter: JobFilter,
  { limit, offset }: PageRange,
): Promise<JobPage> {
  const [page, totals] = await transact(database, [
    sql`${newestFirst(accountId, filter)} LIMIT ${limit} OFFSET ${offset}`,
    filter.batchId === null
      ? totalOfAccount(accountId, filter.status)
      : totalOfBatch(accountId, filter.batchId, filter.status),
  ]);
  const [counted] = z.array(z.object({ total: z.int() })).parse(totals);
  return { jobs: z.array(listedJobSchema).parse(page), total: counted?.total ?? 0 };
}

/**
 * The jobs that match a filter, newest first, through an index in that order, so that nothing else is read. A batch's
 * index also includes the status, so its four parts are merged.
 */
export function newestFirst(accountId: string, { status, batchId }: JobFilter): SQL {
  const select = sql`SELECT ${listedColumns} FROM jobs`;
  if (batchId !== null) {
    const parts = (status === null ? jobStatuses : [status]).map(
      (one) => sql`${select} INDEXED BY jobs_of_batch
        WHERE batch_id = ${batchId} AND status = ${one} AND account_id = ${accountId}`,
    );
    return sql`${sql.join(parts, sql` UNION ALL `)} ORDER BY id DESC`;
  }
  if (status !== null) {
    return sql`${select} INDEXED BY jobs_by_status
      WHERE account_id = ${accountId} AND status = ${status} ORDER BY id DESC`;
  }
  return sql`${select} WHERE account_id = ${accountId} ORDER BY id DESC`;
}

function totalOfAccount(accountId: string, status: JobStatus | null): SQL {
  const count = {
    Pending: sql`pending`,
    Processing: sql`processing`,
    Completed: sql`completed`,
    Failed: sql`failed`,
    all: sql`pending + processing + completed + failed`,
  }[status ?? "all"];
  return sql`SELECT ${count} AS total FROM account_counters WHERE account_id = ${accountId}`;
}

/** No row if the account has no such batch. Few jobs of a batch run at a time: only those are counted. */
function totalOfBatch(accountId: string, batchId: string, status: JobStatus | null): SQL {
  const inWork = sql`(SELECT count(*) FROM jobs INDEXED BY jobs_of_batch
    WHERE jobs.batch_id = batches.id AND jobs.status = 'Processing' AND jobs.account_id = batches.account_id)`;
  const count = {
    Pending: sql`total - completed - failed - ${inWork}`,
    Processing: inWork,
    Completed: sql`completed`,
    Failed: sql`failed`,
    all: sql`total`,
  }[status ?? "all"];
  return sql`SELECT ${count} AS total FROM batches WHERE account_id = ${accountId} AND id = ${batchId}`;
}
