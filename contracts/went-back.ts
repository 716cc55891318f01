import { isEnded, type JobState } from "./job-lifecycle.ts";
import { isLaterStep } from "./job-status.ts";

/**
 * What of a job went back from one look at its row to a later one; null: nothing. However much has happened in between,
 * an end stays, claims and losses never become fewer, and under one claim, which is one attempt, neither status nor step
 * nor the leave to publish goes back.
 */
export function wentBack(before: JobState, after: JobState): string | null {
  const change = `from ${told(before)} to ${told(after)}`;
  if (isEnded(before)) return told(before) === told(after) ? null : `an end changed ${change}`;
  if (after.claim < before.claim) return `a claim fell ${change}`;
  if (after.interruptions < before.interruptions) return `interruptions went down ${change}`;
  if (after.claim > before.claim || after.status === "Failed") return null;
  if (before.status === "Pending")
    return after.status === "Pending" ? null : `a dead claim came back ${change}`;
  if (after.status === "Pending") return null;
  if (isLaterStep(before.step, after.step)) return `a step went back ${change}`;
  return before.publishing && !after.publishing ? `permission to publish was withdrawn ${change}` : null;
}

function told({ status, step, claim, interruptions, publishing }: JobState): string {
  const about = `${status}/${step}, claim ${claim}, ${interruptions} losses`;
  return publishing ? `${about}, publishing` : about;
}
