import { sql } from "drizzle-orm";
import type { EncodingOptions } from "../../contracts/encoding-options.ts";
import { initialJobState } from "../../contracts/job-lifecycle.ts";
import type { Dependencies } from "../dependencies.ts";
import { sendWakeUp } from "../dispatch/wake-up.ts";
import { managedLocationId } from "../storage/storage-location.store.ts";
import { transact } from "../transact.ts";

export interface NewJob {
  readonly id: string;
  readonly url: string;
  readonly folder: string | null;
  readonly filename: string | null;
  readonly webhookUrl: string | null;
  readonly options: EncodingOptions;
}

/**
 * Accepts jobs: rows, usage and counts in one transaction, then a wake-up. They join the line behind the account's
 * own single jobs and behind what was claimed last, so that no account's history holds back another's next job.
 */
export async function createJobs(
  dependencies: Dependencies,
  accountId: string,
  newJobs: readonly NewJob[],
): Promise<void> {
  const { database, clock, newToken } = dependencies;
  const locationId = await managedLocationId(dependencies);
  const count = newJobs.length;
  const now = clock();
  const rows = JSON.stringify(newJobs.map((job) => ({ ...job, options: JSON.stringify(job.options) })));

  await transact(database, [
    sql`
      UPDATE account_counters
      SET jobs_created = jobs_created + ${count},
        pending = pending + ${count},
        last_turn = max(last_turn, (SELECT claimed_turn FROM line)) + ${count}
      WHERE account_id = ${accountId}`,
    sql`
      INSERT INTO jobs (account_id, id, url, folder, filename, webhook_url, options, status, step, claim,
        interruptions, publishing, transition, ready_at, turn, created_at, storage_location_id)
      SELECT ${accountId}, value ->> 'id', value ->> 'url', value ->> 'folder', value ->> 'filename',
        value ->> 'webhookUrl', value ->> 'options', ${initialJobState.status}, ${initialJobState.step},
        ${initialJobState.claim}, ${initialJobState.interruptions}, 0,
        ${newToken()}, ${now}, last_turn - ${count} + 1 + key, ${now}, ${locationId}
      FROM json_each(${rows}), account_counters
      WHERE account_counters.account_id = ${accountId}`,
  ]);
  await sendWakeUp(dependencies, "job_created");
}
