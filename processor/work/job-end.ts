import type { Report } from "../../contracts/report.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import { NoRoom } from "../disk/no-room.ts";
import { JobFailure, type JobResult } from "../pipeline/job.ts";
import { JobStopped } from "./job-stopped.ts";

/** How a run ended: its result, or what it threw. */
export type Outcome = { readonly result: JobResult } | { readonly error: unknown };

export type EndReport = Extract<Report, { kind: "completed" | "failed" | "returned" }>;

/**
 * A job's final report, or null if nobody is waiting for one. A file that is in storage is reported even if the job was
 * to be returned. For a stopped job only the reason it was stopped counts, since whatever it threw may be a consequence
 * of that.
 */
export function endReport(
  { account_id, job_id, claim }: ClaimedJob,
  outcome: Outcome,
  signal: AbortSignal,
): EndReport | null {
  const job = { account_id, job_id, claim };
  const stopped = signal.reason instanceof JobStopped ? signal.reason.why : null;
  if (stopped === "dropped") return null;
  if ("result" in outcome) return { ...job, kind: "completed", timings: outcome.result.timings };
  const { error } = outcome;
  if (stopped === "returned" || error instanceof NoRoom) return { ...job, kind: "returned" };
  if (error instanceof JobFailure) return { ...job, kind: "failed", code: error.code, detail: error.detail };
  return { ...job, kind: "failed", code: "internal", detail: null };
}

/** True for reports after which the edge expects nothing more about the claim. */
export function isEndReport(report: Report): report is EndReport {
  return report.kind === "completed" || report.kind === "failed" || report.kind === "returned";
}
