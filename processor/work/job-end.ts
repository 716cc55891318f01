import type { Report } from "../../contracts/report.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import { NoRoom } from "../disk/no-room.ts";
import { JobFailure, type JobResult } from "../pipeline/job.ts";
import { JobStopped } from "./job-stopped.ts";

/** How a run came out: a result, or what it threw. */
export type Outcome = { readonly result: JobResult } | { readonly error: unknown };

export type EndReport = Extract<Report, { kind: "completed" | "failed" | "returned" }>;

/**
 * The last report of a job, or null when nobody waits for one. A file that lies in storage is reported even if the
 * job was to be returned; of what a stopped job threw only the stopping counts, for the rest may follow from it.
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

/** True for the reports after which the edge expects nothing more of the claim. */
export function isEndReport(report: Report): report is EndReport {
  return report.kind === "completed" || report.kind === "failed" || report.kind === "returned";
}
