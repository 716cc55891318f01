import { type SQL, sql } from "drizzle-orm";
import type { FailureCode } from "../../contracts/failure.ts";
import type { LeavingFile } from "../storage/leaving-files.ts";

/** One row's new values. Null keeps what the row has, where the statement says coalesce. */
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
  /** The billing period that the stored bytes count in; null: none. */
  readonly periodStart: number | null;
  readonly day: string | null;
  readonly freedNames: readonly string[];
  /** What may lie in storage that the job does not show. */
  readonly leftFiles: readonly LeavingFile[];
  readonly batchId: string | null;
  readonly ended: 0 | 1;
  /** It was in line or in work, and so one of its batch's jobs that may be at a time. */
  readonly wasReleased: 0 | 1;
  /** Ids of the events that may come of it: for the job, and for its batch. */
  readonly jobEventId: string;
  readonly batchEventId: string;
}

/** A field of the change at hand; names are those of `JobWrite`. */
export function field(name: keyof JobWrite): SQL {
  return sql.raw(`change.value ->> '${name}'`);
}

/** The changes whose rows now carry their token: the ones that this transaction wrote. */
export function appliedChanges(list: string): SQL {
  return sql`json_each(${list}) AS change CROSS JOIN jobs
    ON jobs.account_id = ${field("accountId")} AND jobs.id = ${field("jobId")}
      AND jobs.transition = ${field("token")}`;
}
