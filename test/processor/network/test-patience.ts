import type { Patience } from "../../../processor/network/patience.ts";

/** Two minutes in two seconds. */
export const testPatience: Patience = {
  withinMs: 2_000,
  askedMaxMs: 2_000,
  firstPauseMs: 2,
  longestPauseMs: 250,
  raiseEveryMs: 1_000,
};
