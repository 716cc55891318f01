/** A running job, as its row describes it. */
export interface JobInWork {
  readonly accountId: string;
  readonly jobId: string;
  readonly claim: number;
  readonly nodeId: string;
  readonly claimedAt: number;
  readonly startedAt: number;
}
