const firstDelayMs = 200;
const longestDelayMs = 10_000;
/** A program that ran this long is healthy: its next end counts as the first. */
const healthyAfterMs = 30_000;

/** How many times in a row a program has ended early, including the end after `ranMs`. */
export function earlyEnds(before: number, ranMs: number): number {
  return ranMs >= healthyAfterMs ? 1 : before + 1;
}

/** How long to wait before restarting a program that ended early `ends` times in a row (from 1). */
export function restartDelayMs(ends: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (ends - 1));
}
