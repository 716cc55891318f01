import { sql } from "drizzle-orm";
import type { EncodingOptions } from "../../contracts/encoding-options.ts";
import { initialJobState } from "../../contracts/job-lifecycle.ts";
import type { Dependencies } from "../dependencies.ts";
import { sendWakeUp } from "../dispatch/wake-up.ts";
import type { AnswerToKeep } from "../idempotency/idempotency-key.store.ts";
import { managedLocationId } from "../storage/storage-location.store.ts";
import { transact } from "../transact.ts";
import { createdIfRoom, createWithinLimit } from "../accounts/pending-limit.store.ts";

export interface NewJob {
  readonly id: string;
  readonly url: string;
  readonly folder: string | null;
  readonly filename: string | null;
  readonly webhookUrl: string | null;
  readonly options: EncodingOptions;
}

/** A batch to create together with its jobs. */
export interface NewBatch {
  readonly id: string;
  readonly folder: string;
}

export interface JobsToCreate {
  readonly accountId: string;
  readonly jobs: readonly NewJob[];
  /** Null: single jobs. */
  readonly batch: NewBatch | null;
  /** The response to store for the idempotency key; null if the request had none. */
  readonly keptAnswer: AnswerToKeep | null;
}

/**
 * Accepts jobs: rows, batch, usage, counts and the stored response in one transaction, then a wake-up. They join the
 * queue next to what was claimed last, behind the account's other jobs outside of shows, so that no history delays
 * anyone's next job, and no number of bulk requests another account's. An account without its row of counters gets no
 * job: the id would be null, which fails the transaction. Rejects, and creates nothing, with KeyInUse if there already is
 * a response for the idempotency key, or with the ApiError if too many of the account's jobs are waiting.
 */
export async function createJobs(dependencies: Dependencies, request: JobsToCreate): Promise<void> {
  const { database, clock, newToken, log } = dependencies;
  const { accountId, jobs, batch, keptAnswer } = request;
  const locationId = await managedLocationId(dependencies);
  const count = jobs.length;
  const now = clock();
  const rows = JSON.stringify(jobs.map((job) => ({ ...job, options: JSON.stringify(job.options) })));
  const firstTurn = sql`max(last_turn + 1, (SELECT claimed_turn FROM line))`;

  await createWithinLimit(database, accountId, keptAnswer, now, (keep) =>
    transact(database, [
      ...keep,
      sql`
        UPDATE account_counters
        SET jobs_created = ${createdIfRoom(count)},
          pending = pending + ${count},
          last_turn = ${firstTurn} + ${count} - 1,
          queued_turn = min(${firstTurn}, coalesce(queued_turn, ${firstTurn}))
        WHERE account_id = ${accountId}`,
      ...(batch === null
        ? []
        : [
            sql`
              INSERT INTO batches (account_id, id, folder, status, total, created_at)
              VALUES (${accountId}, ${batch.id}, ${batch.folder}, 'processing', ${count}, ${now})`,
          ]),
      sql`
        INSERT INTO jobs (account_id, id, batch_id, url, folder, filename, webhook_url, options, status, step, claim,
          interruptions, publishing, transition, ready_at, turn, created_at, storage_location_id)
        SELECT account_counters.account_id, value ->> 'id', ${batch?.id ?? null}, value ->> 'url', value ->> 'folder',
          value ->> 'filename', value ->> 'webhookUrl', value ->> 'options', ${initialJobState.status},
          ${initialJobState.step}, ${initialJobState.claim}, ${initialJobState.interruptions}, 0, ${newToken()},
          ${now}, last_turn - ${count} + 1 + key, ${now}, coalesce(accounts.storage_location_id, ${locationId})
        FROM (SELECT 1)
        LEFT JOIN account_counters ON account_counters.account_id = ${accountId}
        LEFT JOIN accounts ON accounts.id = ${accountId}
        CROSS JOIN json_each(${rows})`,
    ]),
  );
  const [{ id: jobId } = { id: null }] = jobs;
  log.info("Jobs created", {
    account_id: accountId,
    jobs: count,
    ...(batch === null ? { job_id: jobId } : { batch_id: batch.id }),
  });
  await sendWakeUp(dependencies, "job_created");
}
