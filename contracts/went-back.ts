import { isEnded, type JobState } from "./job-lifecycle.ts";
import { isLaterStep } from "./job-status.ts";

/**
 * What went back in a job between two reads of its row; null: nothing. Whatever happened in between, an end stays, claims
 * and interruptions never decrease, and under one claim, which is one attempt, neither status nor step nor the permission
 * to publish goes back.
 */
export function wentBack(before: JobState, after: JobState): string | null {
  const change = `from ${described(before)} to ${described(after)}`;
  if (isEnded(before)) return described(before) === described(after) ? null : `an end changed ${change}`;
  if (after.claim < before.claim) return `a claim fell ${change}`;
  if (after.interruptions < before.interruptions) return `interruptions went down ${change}`;
  if (after.claim > before.claim || after.status === "Failed") return null;
  if (before.status === "Pending")
    return after.status === "Pending" ? null : `a dead claim came back ${change}`;
  if (after.status === "Pending") return null;
  if (isLaterStep(before.step, after.step)) return `a step went back ${change}`;
  return before.publishing && !after.publishing ? `permission to publish was withdrawn ${change}` : null;
}

function described({ status, step, claim, interruptions, publishing }: JobState): string {
  const about = `${status}/${step}, claim ${claim}, ${interruptions} interruptions`;
  return publishing ? `${about}, publishing` : about;
}
