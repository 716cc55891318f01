import type { FailureCode } from "../../contracts/failure.ts";
import type { StageTimings } from "../../contracts/report.ts";
import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";

/**
 * What the service's own statistics keep of an ended job. It does not reveal whose job it was, or what it downloaded.
 */
export interface EndedJob {
  /** Null: it completed. */
  readonly code: FailureCode | null;
  readonly isInBatch: boolean;
  readonly container: string | null;
  /** Times in milliseconds since the epoch; null: it never started. */
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number;
  /** Null unless it completed. */
  readonly timings: StageTimings | null;
  readonly storedBytes: number;
  /** How often it was handed to a node. */
  readonly claims: number;
}

/** Queries refer to the fields by position: append new ones at the end. */
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
 * Writes one data point per job. This is not part of the transaction that ended the job: a Worker that dies in between
 * loses the point, but none is ever written twice. Does nothing if the deployment has no dataset.
 */
export function writePoints(
  { jobPoints, log }: Pick<Dependencies, "jobPoints" | "log">,
  jobs: readonly EndedJob[],
): void {
  if (jobPoints === null) return;
  try {
    for (const job of jobs) jobPoints.writeDataPoint(pointOf(job));
  } catch (error) {
    // The platform accepts only so many per invocation.
    log.warn("Data points of ended jobs were dropped", { jobs: jobs.length, ...errorFields(error) });
  }
}
