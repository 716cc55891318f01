import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { JobState } from "../../contracts/job-lifecycle.ts";
import { jobStatusSchema, jobStepSchema } from "../../contracts/job-status.ts";
import { wentBack } from "../../contracts/went-back.ts";
import { sql } from "../accounts/sql.ts";
import type { Database } from "../local-system/database.ts";
import type { Finding, WrongRow } from "./findings.ts";

const intervalMs = 500;
/** A statement of a deployed database has at most 100 KB. */
const jobsMax = 500;

const rowSchema = z.object({
  account_id: z.string(),
  id: z.string(),
  status: jobStatusSchema,
  step: jobStepSchema,
  claim: z.int(),
  interruptions: z.int(),
  publishing: z.int().transform((flag) => flag !== 0),
});

type JobKey = readonly [accountId: string, jobId: string];

/**
 * Reads unfinished jobs repeatedly, until their end or until `until` aborts: reading once cannot
 * show that none of them goes back. Of more than some hundreds only the first are watched.
 */
export async function watchJobs(database: Database, until: AbortSignal): Promise<Finding> {
  const seen = new Map<string, { readonly key: JobKey; readonly state: JobState }>();
  const wrong: WrongRow[] = [];
  let reads = 0;
  while (!until.aborted) {
    const [rows = []] = await database.execute([unfinishedOrAmong([...seen.values()].map(({ key }) => key))]);
    for (const { account_id: accountId, id, ...state } of z.array(rowSchema).parse(rows)) {
      const before = seen.get(id);
      const detail = before === undefined ? null : wentBack(before.state, state);
      if (detail !== null) wrong.push({ accountId, subject: id, detail });
      if (before !== undefined || seen.size < jobsMax) seen.set(id, { key: [accountId, id], state });
    }
    reads += 1;
    await sleep(intervalMs, undefined, { signal: until }).catch(() => undefined);
  }
  return {
    name: "history",
    sentence: `No job goes back: an end stays, and under one claim status and step only go forward (${seen.size} jobs, read ${reads} times)`,
    rows: wrong,
    hasMore: false,
  };
}

/** By their indexes, since a deployed database bills each row that it reads. */
function unfinishedOrAmong(jobs: readonly JobKey[]): string {
  return sql`
    WITH watched AS (
      SELECT account_id, id FROM jobs WHERE status = 'Processing'
      UNION SELECT account_id, id FROM (
        SELECT account_id, id FROM jobs WHERE status = 'Pending' AND ready_at IS NOT NULL
        ORDER BY turn LIMIT ${jobsMax})
      UNION SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(jobs)}))
    SELECT account_id, id, status, step, claim, interruptions, publishing FROM watched CROSS JOIN jobs
    USING (account_id, id)`;
}
