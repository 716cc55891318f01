import type { ProbedMedia } from "./media.ts";

/** Clocks further apart than this are unrelated. */
export const mostDelaySeconds = 10;

/**
 * How much later than the earliest each input starts, in seconds. Streams in separate files share a clock, and would
 * otherwise all be moved to its beginning. 0 if their clocks are unrelated.
 */
export function inputDelays(inputs: readonly ProbedMedia[]): number[] {
  const starts = inputs.map(({ startSeconds }) => startSeconds);
  const earliest = Math.min(...starts);
  return starts.map((start) => (start - earliest > mostDelaySeconds ? 0 : start - earliest));
}
