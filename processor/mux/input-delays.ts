import type { ProbedMedia } from "./media.ts";

/** Clocks that are further apart than this are not the same clock. */
export const mostDelaySeconds = 10;

/**
 * How much later than the earliest each input starts, in seconds: streams in files of their own share a clock, and
 * would all be moved to its beginning. 0 where their clocks have nothing to do with each other.
 */
export function inputDelays(inputs: readonly ProbedMedia[]): number[] {
  const starts = inputs.map(({ startSeconds }) => startSeconds);
  const earliest = Math.min(...starts);
  return starts.map((start) => (start - earliest > mostDelaySeconds ? 0 : start - earliest));
}
