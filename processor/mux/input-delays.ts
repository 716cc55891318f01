import type { ProbedMedia } from "./media.ts";

/** Clocks further apart than this are unrelated, unless the later file ends where the others do. */
const mostDelaySeconds = 10;
/** Files of one film end at about the same time. */
const sameEndSeconds = 1;

/** What a file's own clock says about it. */
interface Clocked {
  /** Null if it has no timestamps. */
  readonly startSeconds: number | null;
  readonly durationSeconds: number | null;
}

/**
 * How much later than the earliest each input starts, in seconds. Streams in separate files share a clock, and would
 * otherwise all be moved to its beginning. 0 if their clocks are unrelated: these are far apart, and on one clock the
 * later file would outlast the others.
 */
export function inputDelays(inputs: readonly Clocked[]): number[] {
  const earliest = earliestStart(inputs) ?? 0;
  return inputs.map((input) => {
    const delay = (input.startSeconds ?? earliest) - earliest;
    const others = inputs.filter((other) => other !== input).map(endOf);
    return delay <= mostDelaySeconds || endOf(input) <= Math.max(...others) + sameEndSeconds ? delay : 0;
  });
}

/** NaN, which is never a related end, for one that is unknown. */
function endOf({ startSeconds, durationSeconds }: Clocked): number {
  return (startSeconds ?? NaN) + (durationSeconds ?? NaN);
}

/** The start time of the earliest input that has timestamps; null if none has. */
export function earliestStart(inputs: readonly Pick<ProbedMedia, "startSeconds">[]): number | null {
  const starts = inputs.map(({ startSeconds }) => startSeconds).filter((start) => start !== null);
  return starts.length === 0 ? null : Math.min(...starts);
}
