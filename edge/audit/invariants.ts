import { accountInvariants } from "./account-invariants.ts";
import type { Invariant } from "./invariant.ts";
import { jobInvariants } from "./job-invariants.ts";
import { storageInvariants } from "./storage-invariants.ts";

/**
 * Everything about "nothing lost, nothing done twice" that the database alone can prove. `firstDay`: the oldest UTC day
 * (YYYY-MM-DD) whose counts are certain to be kept.
 */
export function invariants(firstDay: string): readonly Invariant[] {
  return [...accountInvariants(firstDay), ...jobInvariants, ...storageInvariants];
}
