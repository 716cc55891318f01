import type { FileFacts } from "../../contracts/file-facts.ts";
import { decide, type Decision, type JobEvent } from "../../contracts/job-lifecycle.ts";
import type { StageTimings } from "../../contracts/report.ts";
import { sidecarKey } from "../../contracts/sidecar-key.ts";
import type { SeenJob } from "./seen-jobs.store.ts";

/** An event of a job, and what its row is to record of it. */
export interface JobChange {
  readonly accountId: string;
  readonly jobId: string;
  readonly event: JobEvent;
  /** The process that reports it: refused if another process has the job. */
  readonly nodeId?: string;
  readonly uploadId?: string;
  readonly facts?: FileFacts;
  readonly timings?: StageTimings;
  readonly failureDetail?: string | null;
}

const fenced: Decision = { kind: "fenced" };

/** Decides by the lifecycle, once it is certain that the change is about the job as it is now. */
export function decideChange(job: SeenJob, change: JobChange): Decision {
  const isStray = belongsToAnother(job, change) || isAboutFormerKey(job, change);
  return isStray ? fenced : decide(job.state, change.event);
}

/** True if a process other than the reporting one has the job. */
function belongsToAnother(job: SeenJob, { nodeId }: JobChange): boolean {
  return nodeId !== undefined && job.nodeId !== null && job.nodeId !== nodeId;
}

/**
 * True if the facts are about a name that the job no longer has: they were reported before the current one was
 * reserved, and arrived late.
 */
function isAboutFormerKey({ storageKey, sidecarSuffixes }: SeenJob, { facts }: JobChange): boolean {
  const own = new Set(sidecarSuffixes.map((suffix) => sidecarKey(storageKey ?? "", suffix)));
  return facts !== undefined && !facts.sidecars.every(({ storage_key: key }) => own.has(key));
}
