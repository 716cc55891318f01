import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import { failureCodes } from "../../contracts/failure.ts";

/** From a tenth of a second (an episode over a fast link) to the hours a long film takes. */
const jobSecondsBuckets = [0.1, 0.3, 1, 3, 10, 30, 60, 180, 600, 1800, 3600, 10_800, 21_600];

export const jobOutcomes = ["completed", "failed", "returned", "dropped"] as const;
export const stages = ["download", "mux", "upload"] as const;

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * A node's metrics since its start, along with Node's default process metrics. Label values are few and known in
 * advance: never a job, account, address or name.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const jobsEnded = new Counter({
    name: "ferry_jobs_ended_total",
    help: "Jobs that left this node: completed, failed, returned unfinished to the edge, or dropped because their claim was dead.",
    labelNames: ["outcome"],
    registers,
  });
  const jobFailures = new Counter({
    name: "ferry_job_failures_total",
    help: "Failed jobs by the error_code of the API.",
    labelNames: ["code"],
    registers,
  });
  // Without this, a series would start at its first job, and a rate would miss that job.
  for (const outcome of jobOutcomes) jobsEnded.inc({ outcome }, 0);
  for (const code of failureCodes) jobFailures.inc({ code }, 0);

  return {
    registry,
    jobsEnded,
    jobFailures,
    jobSeconds: new Histogram({
      name: "ferry_job_duration_seconds",
      help: "Time from a job's start on this node to its end here, whatever the outcome.",
      labelNames: ["outcome"],
      buckets: jobSecondsBuckets,
      registers,
    }),
    stageSeconds: new Histogram({
      name: "ferry_stage_duration_seconds",
      help: "Time that a stage of a completed job was active. Stages overlap.",
      labelNames: ["stage"],
      buckets: jobSecondsBuckets,
      registers,
    }),
    placeWaitSeconds: new Histogram({
      name: "ferry_place_wait_seconds",
      help: "How long jobs waited for permission to download, encode or upload on this node.",
      labelNames: ["place"],
      buckets: [0.001, 0.01, 0.1, 1, 10, 60, 600, 3600],
      registers,
    }),
    sourceBytes: new Counter({
      name: "ferry_source_bytes_total",
      help: "Bytes of media downloaded from sources, including repetitions.",
      registers,
    }),
    storedBytes: new Counter({
      name: "ferry_stored_bytes_total",
      help: "Bytes of the files of completed jobs, including sidecars.",
      registers,
    }),
  };
}
