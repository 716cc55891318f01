import type { FailureCode } from "../../contracts/failure.ts";
import type { StageTimings } from "../../contracts/report.ts";
import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";

/** What the service's own statistics keep of a job that has ended. Nothing of it says whose it was, or of what. */
export interface EndedJob {
  /** Null: it completed. */
  readonly code: FailureCode | null;
  readonly isInBatch: boolean;
  readonly container: string | null;
  /** Times since the epoch in milliseconds; null: it never started. */
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number;
  /** Null unless it completed. */
  readonly timings: StageTimings | null;
  readonly storedBytes: number;
  /** How often it was handed to a node. */
  readonly claims: number;
}

/** The places of its fields are what queries name: a new one goes to the end. */
export function pointOf(job: EndedJob): AnalyticsEngineDataPoint {
  const { timings, createdAt, startedAt, finishedAt } = job;
  const outcome = job.code ?? "completed";
  return {
    indexes: [outcome],
    blobs: [outcome, job.isInBatch ? "batch" : "single", job.container ?? ""],
    doubles: [
      (startedAt ?? finishedAt) - createdAt,
      timings?.download_ms ?? 0,
      timings?.mux_ms ?? 0,
      timings?.upload_ms ?? 0,
      finishedAt - createdAt,
      job.storedBytes,
      job.claims,
    ],
  };
}

/**
 * Writes one point a job. Not part of the transaction that ended it: a Worker that dies in between leaves a point out,
 * and none is ever written twice. Does nothing where the deployment has no dataset.
 */
export function writePoints(
  { jobPoints, log }: Pick<Dependencies, "jobPoints" | "log">,
  jobs: readonly EndedJob[],
): void {
  if (jobPoints === null) return;
  try {
    for (const job of jobs) jobPoints.writeDataPoint(pointOf(job));
  } catch (error) {
    // Beyond so many an invocation the platform takes none.
    log.warn("Points of ended jobs are left out", { jobs: jobs.length, ...errorFields(error) });
  }
}
