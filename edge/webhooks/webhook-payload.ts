import type { Dependencies } from "../dependencies.ts";
import { findJob } from "../jobs/find-job.store.ts";
import type { Job } from "../jobs/job-schema.ts";
import { jobView } from "../jobs/job-view.ts";
import { fileSigner } from "../storage/file-signer.ts";
import { findEndedBatch } from "./ended-batch.store.ts";
import type { ClaimedEvent } from "./webhook-event.store.ts";
import type { WebhookType } from "./webhook.table.ts";

interface JobPayload extends Pick<
  Job,
  "status" | "url" | "storage_key" | "subtitle_url" | "file_size" | "error_code"
> {
  readonly type: WebhookType;
  readonly job_id: string;
  readonly storage_url: string | null;
  readonly error: string | null;
  /** When the job ended, ms. */
  readonly timestamp: number;
}

interface BatchPayload {
  readonly type: WebhookType;
  readonly batch_id: string;
  readonly show_url: string | null;
  readonly folder: string;
  readonly completed: number;
  readonly failed: number;
  readonly total: number;
}

type Event = Pick<ClaimedEvent, "accountId" | "type" | "jobId" | "batchId" | "createdAt">;

/**
 * What an event's receiver is told, as of now: URLs are signed at `now` (ms since the Unix epoch), and null if the file
 * has been deleted since. Rejects if the subject does not exist, which cannot happen.
 */
export async function webhookPayload(
  dependencies: Pick<Dependencies, "database" | "settings">,
  event: Event,
  now: number,
): Promise<JobPayload | BatchPayload> {
  if (event.jobId !== null) return jobPayload(dependencies, event, event.jobId, now);
  if (event.batchId !== null) return batchPayload(dependencies, event, event.batchId);
  throw new Error("A webhook event has no subject");
}

async function jobPayload(
  dependencies: Pick<Dependencies, "database" | "settings">,
  { accountId, type, createdAt }: Event,
  jobId: string,
  now: number,
): Promise<JobPayload> {
  const row = await findJob(dependencies.database, accountId, jobId);
  if (row === null) throw new Error("A webhook's job is not there");
  const job = await jobView(row, null, fileSigner(dependencies, row, now));
  return {
    type,
    job_id: jobId,
    status: job.status,
    url: job.url,
    storage_key: job.storage_key,
    storage_url: job.storage_url ?? null,
    subtitle_url: job.subtitle_url,
    file_size: job.file_size,
    error: job.error ?? null,
    error_code: job.error_code,
    timestamp: createdAt,
  };
}

async function batchPayload(
  { database }: Pick<Dependencies, "database">,
  { accountId, type }: Event,
  batchId: string,
): Promise<BatchPayload> {
  const batch = await findEndedBatch(database, accountId, batchId);
  if (batch === null) throw new Error("A webhook's batch is not there");
  const { showUrl, folder, completed, failed, total } = batch;
  return { type, batch_id: batchId, show_url: showUrl, folder, completed, failed, total };
}
