import type { HeldJob } from "../../contracts/heartbeat.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";

/** How many jobs are at each step. A job that several nodes list is counted once, by its latest claim. */
export function countSteps(jobs: Iterable<HeldJob>): Record<WorkingStep, number> {
  const latest = new Map<string, HeldJob>();
  for (const job of jobs) {
    if (job.claim >= (latest.get(job.job_id)?.claim ?? 0)) latest.set(job.job_id, job);
  }
  const counts: Record<WorkingStep, number> = { Downloading: 0, Muxing: 0, Uploading: 0 };
  for (const { step } of latest.values()) counts[step] += 1;
  return counts;
}
