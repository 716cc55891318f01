import type { ClaimedJob } from "../../contracts/task.ts";
import type { JobInWork } from "./job-in-work.ts";

/** A claim that a node lists. */
export interface HeldClaim extends ClaimedJob {
  readonly nodeId: string;
}

/** Which of the held claims have ended, or belong to another node, according to rows that were read after them. */
export function deadClaims(held: readonly HeldClaim[], rows: readonly JobInWork[]): HeldClaim[] {
  const rowOf = new Map(rows.map((row) => [row.jobId, row]));
  return held.filter((claim) => {
    const row = rowOf.get(claim.job_id);
    return row === undefined || !isHeldBy(row, claim);
  });
}

/** True for the node of the row's own claim, and for one with a later claim than the row had when it was read. */
function isHeldBy(row: JobInWork, { claim, nodeId }: HeldClaim): boolean {
  return claim > row.claim || (claim === row.claim && nodeId === row.nodeId);
}
