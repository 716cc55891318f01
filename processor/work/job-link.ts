import type { Progress } from "../../contracts/heartbeat.ts";
import type { WorkingStep } from "../../contracts/job-status.ts";
import type { Report, ReportResult } from "../../contracts/report.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import type { JobLink } from "../pipeline/job.ts";
import type { ReportOutbox } from "../reporting/report-outbox.ts";
import { JobStopped } from "./job-stopped.ts";

export interface JobLinkOptions {
  readonly job: ClaimedJob;
  /** The job's own; the link itself aborts it when the edge answers that the claim is dead. */
  readonly controller: AbortController;
  readonly outbox: Pick<ReportOutbox, "add">;
  readonly onStep: (step: WorkingStep) => void;
  readonly onProgress: (progress: Progress) => void;
}

type Question = Extract<Report, { readonly kind: "reserve_key" | "upload_started" | "publish" }>;

/** What a running job asks of the edge, as reports. Every call rejects with JobStopped once the job is aborted. */
export function createJobLink({ job, controller, outbox, onStep, onProgress }: JobLinkOptions): JobLink {
  const { account_id, job_id, claim } = job;
  const claimed = { account_id, job_id, claim };
  const { signal } = controller;
  let sequence = 0;

  function ask(question: Question): Promise<ReportResult> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener("abort", abort, { once: true });
      const settle = (result: ReportResult) => {
        signal.removeEventListener("abort", abort);
        if (result.outcome === "accepted") {
          resolve(result);
          return;
        }
        controller.abort(new JobStopped("dropped"));
        abort();
      };
      sequence += 1;
      outbox.add({ ...question, sequence }, settle, signal);
    });
  }

  return {
    async reserveKey(wish) {
      const { key } = await ask({ ...claimed, kind: "reserve_key", ...wish });
      if (key === null) throw new Error("the edge accepted a key's reservation and named no key");
      return { storageKey: key.storage_key, objectKey: key.object_key };
    },
    async uploadStarted(uploadId) {
      await ask({ ...claimed, kind: "upload_started", upload_id: uploadId });
    },
    async publish(facts) {
      await ask({ ...claimed, kind: "publish", facts });
    },
    stepReached: onStep,
    progressMade: onProgress,
  };
}
