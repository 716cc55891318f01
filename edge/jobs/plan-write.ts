import { failureText } from "../../contracts/failure.ts";
import type { Decision, JobState } from "../../contracts/job-lifecycle.ts";
import type { Dependencies } from "../dependencies.ts";
import { dayOf } from "../statistics/days.ts";
import { type LeavingFile, leavingFiles } from "../storage/leaving-files.ts";
import { namesOfFile } from "../storage/reserved-names.ts";
import { billingPeriod } from "../usage/billing-period.ts";
import { dueAgainAt } from "./due-again.ts";
import type { EndedJob } from "./ended-job-points.ts";
import type { JobChange } from "./job-change.ts";
import type { JobWrite } from "./job-write.ts";
import type { SeenJob } from "./seen-jobs.store.ts";

/** What to write of a change that was decided, provided that the row is still as seen. */
export function planWrite(
  { clock, newToken, newId }: Pick<Dependencies, "clock" | "newToken" | "newId">,
  job: SeenJob,
  change: JobChange,
  { state, failure }: Extract<Decision, { kind: "changed" }>,
): JobWrite {
  const now = clock();
  const ended = state.step === "Finished";
  const { facts } = change;
  return {
    accountId: job.accountId,
    jobId: job.jobId,
    seen: job.transition,
    token: newToken(),
    fromStatus: job.state.status,
    status: state.status,
    // A heartbeat may write a later step in the meantime: an event that does not change the step leaves it alone.
    step: state.step === job.state.step ? null : state.step,
    interruptions: state.interruptions,
    publishing: state.publishing ? 1 : 0,
    readyAt: state.status === "Pending" ? dueAgainAt(change.event.type, state.claim, now) : null,
    reportSequence: change.sequence ?? null,
    keepsNode: state.status === "Processing" ? 1 : 0,
    finishedAt: ended ? now : null,
    uploadId: change.uploadId ?? null,
    fileSize: facts?.file_size ?? null,
    media: facts ? JSON.stringify(facts.media) : null,
    sidecars: facts ? JSON.stringify(facts.sidecars) : null,
    preferredSubtitle: facts?.preferred_subtitle ?? null,
    timings: change.timings ? JSON.stringify(change.timings) : null,
    error: failure ? failureText(failure, change.failureDetail) : null,
    errorCode: failure,
    storedBytes: state.status === "Completed" ? job.storedBytes : 0,
    periodStart: job.billingStart === null ? null : billingPeriod(job.billingStart, now).start,
    day: ended && failure !== "cancelled" ? dayOf(now) : null,
    freedNames:
      state.status === "Failed" && job.storageKey !== null
        ? namesOfFile(job.accountId, job.storageKey, job.sidecarSuffixes)
        : [],
    leftFiles: leftFiles(job, state),
    batchId: job.batchId,
    ended: ended ? 1 : 0,
    wasReleased: job.state.status === "Processing" || job.readyAt !== null ? 1 : 0,
    jobEventId: newId(),
    batchEventId: newId(),
  };
}

/** What is left in storage when a job ends: everything of a failed one, and whatever a completed one does not show. */
function leftFiles(job: SeenJob, { status, claim }: JobState): LeavingFile[] {
  if (status === "Failed") return leavingFiles(job);
  if (status !== "Completed" || claim === 1) return [];
  const shown = new Set([job.storageKey, ...job.sidecars.map((sidecar) => sidecar.storage_key)]);
  return leavingFiles(job).filter(({ storageKey }) => !shown.has(storageKey));
}

/** What the service's statistics keep of the job if this write ends it; null if it does not. */
export function endOf(job: SeenJob, { timings }: JobChange, write: JobWrite): EndedJob | null {
  if (write.finishedAt === null) return null;
  return {
    code: write.errorCode,
    isInBatch: job.batchId !== null,
    container: write.status === "Completed" ? job.container : null,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt: write.finishedAt,
    timings: timings ?? null,
    storedBytes: write.storedBytes,
    claims: job.state.claim,
  };
}
