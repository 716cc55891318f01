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
  /** Its place among the questions of the attempt: refused if a later one has changed the row. */
  readonly sequence?: number | undefined;
  readonly uploadId?: string;
  readonly facts?: FileFacts;
  readonly timings?: StageTimings;
  readonly failureDetail?: string | null;
}

const fenced: Decision = { kind: "fenced" };

/** Decides by the lifecycle, once it is certain that the change is about the job as it is now. */
export function decideChange(job: SeenJob, change: JobChange): Decision {
  const isStray = belongsToAnother(job, change) || isLate(job, change) || isAboutNoKey(job, change);
  return isStray ? fenced : decide(job.state, change.event);
}

/** True if a process other than the reporting one has the job. */
function belongsToAnother(job: SeenJob, { nodeId }: JobChange): boolean {
  return nodeId !== undefined && job.nodeId !== null && job.nodeId !== nodeId;
}

/** True if the attempt has moved on since: whoever asked this has had the answer to a copy of it. */
function isLate({ reportSequence }: SeenJob, { sequence }: JobChange): boolean {
  return sequence !== undefined && sequence < reportSequence;
}

/**
 * True if an upload or facts are reported for a name that the job does not have. Nodes of earlier versions do not
 * number their questions, so that facts reported before the current name was reserved may arrive late.
 */
function isAboutNoKey({ storageKey, sidecarSuffixes }: SeenJob, { uploadId, facts }: JobChange): boolean {
  if (uploadId === undefined && facts === undefined) return false;
  if (storageKey === null) return true;
  const own = new Set(sidecarSuffixes.map((suffix) => sidecarKey(storageKey, suffix)));
  return facts !== undefined && !facts.sidecars.every(({ storage_key: key }) => own.has(key));
}
