import { type SQL, sql } from "drizzle-orm";
import type { FailureCode } from "../../contracts/failure.ts";
import type { LeavingFile } from "../storage/leaving-files.ts";

/** One row's new values. Null keeps the row's value where the statement says coalesce. */
export interface JobWrite {
  readonly accountId: string;
  readonly jobId: string;
  readonly seen: string;
  readonly token: string;
  readonly fromStatus: string;
  readonly status: string;
  readonly step: string | null;
  readonly interruptions: number;
  readonly publishing: 0 | 1;
  readonly readyAt: number | null;
  readonly reportSequence: number | null;
  readonly keepsNode: 0 | 1;
  readonly finishedAt: number | null;
  readonly uploadId: string | null;
  readonly fileSize: number | null;
  readonly media: string | null;
  readonly sidecars: string | null;
  readonly preferredSubtitle: string | null;
  readonly timings: string | null;
  readonly error: string | null;
  readonly errorCode: FailureCode | null;
  readonly storedBytes: number;
  /** The billing period in which the stored bytes count; null: none. */
  readonly periodStart: number | null;
  readonly day: string | null;
  readonly freedNames: readonly string[];
  /** What may be in storage without being shown by the job. */
  readonly leftFiles: readonly LeavingFile[];
  readonly batchId: string | null;
  readonly ended: 0 | 1;
  /** It was queued or running, and thus among the limited number of its batch's jobs that may be at a time. */
  readonly wasReleased: 0 | 1;
  /** Ids for the events that may result: the job's, and its batch's. */
  readonly jobEventId: string;
  readonly batchEventId: string;
}

/** A field of the current change, by its name in `JobWrite`. */
export function field(name: keyof JobWrite): SQL {
  return sql.raw(`change.value ->> '${name}'`);
}

/** The changes whose rows now carry their token: the ones written by this transaction. */
export function appliedChanges(list: string): SQL {
  return sql`json_each(${list}) AS change CROSS JOIN jobs
    ON jobs.account_id = ${field("accountId")} AND jobs.id = ${field("jobId")}
      AND jobs.transition = ${field("token")}`;
}
