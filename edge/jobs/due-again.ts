import type { JobEvent } from "../../contracts/job-lifecycle.ts";

const firstDelayMs = 500;
const delayMaxMs = 10_000;

/**
 * When a requeued job is due, in ms; `claim` is the one that failed. A job that lost its node is due immediately, and
 * so is one whose first claim a node refused or returned, since another node may have a free slot. After that, a job
 * that is returned waits, longer each time, so that no node is repeatedly offered a job it has no room for, nor paused
 * because of a job that no node can take.
 */
export function dueAgainAt(event: JobEvent["type"], claim: number, now: number): number {
  if (event !== "return" || claim < 2) return now;
  return now + Math.min(firstDelayMs * 2 ** (claim - 2), delayMaxMs);
}
