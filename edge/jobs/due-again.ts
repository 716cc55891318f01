import type { JobEvent } from "../../contracts/job-lifecycle.ts";

const firstRestMs = 500;
const restMaxMs = 10_000;

/**
 * When a job that goes back in line is due, in ms; `claim` is the one that came to nothing. What lost its node is due at
 * once, and so is the first claim that a node did not take or gave back, for another node may have a free slot. From
 * then on a job that is given back rests, longer each time: no node is offered again and again what it has no room for,
 * and none is passed over for what no node can take.
 */
export function dueAgainAt(event: JobEvent["type"], claim: number, now: number): number {
  if (event !== "return" || claim < 2) return now;
  return now + Math.min(firstRestMs * 2 ** (claim - 2), restMaxMs);
}
