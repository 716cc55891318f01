import type { HeldJob } from "../../contracts/heartbeat.ts";

/** A held job whose step is not in its row yet. */
export interface StepChange {
  readonly nodeId: string;
  readonly accountId: string;
  readonly jobId: string;
  readonly claim: number;
  readonly step: HeldJob["step"];
}

/** Which steps are in the rows of running jobs. Forgetting one costs writing it once more. */
export class WrittenSteps {
  readonly #written = new Map<string, string>();

  /** The steps of a node's jobs that have not been written for this node and claim. */
  unwritten(nodeId: string, jobs: readonly HeldJob[]): StepChange[] {
    return jobs
      .map(({ account_id: accountId, job_id: jobId, claim, step }) => ({
        nodeId,
        accountId,
        jobId,
        claim,
        step,
      }))
      .filter((change) => this.#written.get(change.jobId) !== stepText(change));
  }

  note(steps: readonly StepChange[]): void {
    for (const change of steps) this.#written.set(change.jobId, stepText(change));
  }

  forgetAllBut(jobIds: ReadonlySet<string>): void {
    for (const jobId of this.#written.keys()) if (!jobIds.has(jobId)) this.#written.delete(jobId);
  }
}

function stepText({ nodeId, claim, step }: StepChange): string {
  return `${nodeId} ${claim} ${step}`;
}
