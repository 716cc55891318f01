import type { FailureCode } from "./failure.ts";
import type { JobStatus, JobStep } from "./job-status.ts";
import { interruptionsMax } from "./limits.ts";

/** What determines a job's future. Everything else in its row is just carried along. */
export interface JobState {
  readonly status: JobStatus;
  readonly step: JobStep;
  /** Number of the latest claim; 0 before the first. Never decreases. */
  readonly claim: number;
  /** How often a worker was lost. */
  readonly interruptions: number;
  /** The current claim was allowed to let the object appear: from now on the job cannot be cancelled. */
  readonly publishing: boolean;
}

/** Events with a claim come from the node that holds it, or are about that node. */
export type JobEvent =
  | { readonly type: "claim" }
  | { readonly type: "upload_started"; readonly claim: number }
  | { readonly type: "publish"; readonly claim: number }
  | { readonly type: "complete"; readonly claim: number }
  | { readonly type: "fail"; readonly claim: number; readonly code: FailureCode }
  | { readonly type: "return"; readonly claim: number }
  | { readonly type: "lose"; readonly claim: number }
  | { readonly type: "cancel_queued" }
  | { readonly type: "cancel" };

/**
 * `changed`: write `state`. `unchanged`: the row already says so (a repeated message). `fenced`: the sender's claim is
 * dead. `refused`: a client asked for something that the state does not allow.
 */
export type Decision =
  | { readonly kind: "changed"; readonly state: JobState; readonly failure: FailureCode | null }
  | { readonly kind: "unchanged" }
  | { readonly kind: "fenced" }
  | { readonly kind: "refused" };

const fenced: Decision = { kind: "fenced" };
const unchanged: Decision = { kind: "unchanged" };
const refused: Decision = { kind: "refused" };

export const initialJobState: JobState = {
  status: "Pending",
  step: "Queued",
  claim: 0,
  interruptions: 0,
  publishing: false,
};

/**
 * What an event does to a job in a state. Terminal states never change. Claims, and cancels of a show's held-back jobs,
 * concern so many rows at once that the edge writes them in SQL, as it does the later steps that heartbeats tell within
 * a claim; a test compares these statements with this function.
 */
export function decide(state: JobState, event: JobEvent): Decision {
  switch (event.type) {
    case "claim":
      if (state.status !== "Pending") return refused;
      return changed({ ...state, status: "Processing", step: "Downloading", claim: state.claim + 1 });
    case "cancel_queued":
      if (state.status !== "Pending") return refused;
      return failed(state, "cancelled");
    case "cancel":
      if (isEnded(state) || state.publishing) return refused;
      return failed(state, "cancelled");
    case "complete":
      if (state.status === "Completed" && state.claim === event.claim) return unchanged;
      if (!holds(state, event.claim) || !state.publishing) return fenced;
      return changed({ ...state, status: "Completed", step: "Finished" });
    case "fail":
      if (state.status === "Failed" && state.claim === event.claim) return unchanged;
      if (!holds(state, event.claim)) return fenced;
      return failed(state, event.code);
    case "upload_started":
      return holds(state, event.claim) ? changed(state) : fenced;
    case "publish":
      if (!holds(state, event.claim)) return fenced;
      return changed({ ...state, step: "Uploading", publishing: true });
    case "return":
      if (!holds(state, event.claim)) return fenced;
      return changed(putBack(state));
    case "lose": {
      if (!holds(state, event.claim)) return fenced;
      const lost = { ...state, interruptions: state.interruptions + 1 };
      if (lost.interruptions >= interruptionsMax) return failed(lost, "interrupted");
      return changed(putBack(lost));
    }
  }
}

/** Completed and Failed are final. */
export function isEnded({ status }: Pick<JobState, "status">): boolean {
  return status === "Completed" || status === "Failed";
}

function holds(state: JobState, claim: number): boolean {
  return state.status === "Processing" && state.claim === claim;
}

function putBack(state: JobState): JobState {
  return { ...state, status: "Pending", step: "Queued", publishing: false };
}

function failed(state: JobState, failure: FailureCode): Decision {
  return {
    kind: "changed",
    state: { ...state, status: "Failed", step: "Finished", publishing: false },
    failure,
  };
}

function changed(state: JobState): Decision {
  return { kind: "changed", state, failure: null };
}
