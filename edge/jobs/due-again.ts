import type { JobEvent } from "../../contracts/job-lifecycle.ts";

const firstRestMs = 500;
const restMaxMs = 10_000;

/**
 * When a requeued job is due, in ms; `claim` is the one that failed. A job that lost its node is due immediately, and
 * so is one whose first claim a node refused or gave back, since another node may have a free slot. After that, a job
 * that is given back waits, longer each time, so that no node is offered again and again what it has no room for, nor
 * passed over because of a job that no node can take.
 */
export function dueAgainAt(event: JobEvent["type"], claim: number, now: number): number {
  if (event !== "return" || claim < 2) return now;
  return now + Math.min(firstRestMs * 2 ** (claim - 2), restMaxMs);
}
