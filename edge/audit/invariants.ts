import { accountInvariants } from "./account-invariants.ts";
import { attemptInvariants } from "./attempt-invariants.ts";
import type { Invariant } from "./invariant.ts";
import { jobInvariants } from "./job-invariants.ts";
import { storageInvariants } from "./storage-invariants.ts";

/** What an audit has to know about time. */
export interface AuditTimes {
  /** The oldest UTC day (YYYY-MM-DD) whose counts are certain to be kept. */
  readonly firstDay: string;
  /** Milliseconds since the epoch: a running job that was started earlier has exceeded its time. */
  readonly startedAfter: number;
}

/**
 * Everything about "nothing lost, nothing done twice" that reading the database once can prove. That no job goes
 * back from one look to the next is checked by `wentBack`.
 */
export function invariants({ firstDay, startedAfter }: AuditTimes): readonly Invariant[] {
  return [
    ...accountInvariants(firstDay),
    ...jobInvariants,
    ...attemptInvariants(startedAfter),
    ...storageInvariants,
  ];
}
