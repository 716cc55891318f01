import type { ProbedMedia } from "./media.ts";

/** Clocks further apart than this are unrelated. */
export const mostDelaySeconds = 10;

/**
 * How much later than the earliest each input starts, in seconds. Streams in separate files share a clock, and would
 * otherwise all be moved to its beginning. 0 if their clocks are unrelated.
 */
export function inputDelays(inputs: readonly ProbedMedia[]): number[] {
  const earliest = earliestStart(inputs) ?? 0;
  return inputs.map(({ startSeconds }) => {
    const delay = (startSeconds ?? earliest) - earliest;
    return delay > mostDelaySeconds ? 0 : delay;
  });
}

/** The start time of the earliest input that has timestamps; null if none has. */
export function earliestStart(inputs: readonly ProbedMedia[]): number | null {
  const starts = inputs.map(({ startSeconds }) => startSeconds).filter((start) => start !== null);
  return starts.length === 0 ? null : Math.min(...starts);
}
