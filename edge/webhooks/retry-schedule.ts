const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** From the end of the first, the second … try to the next one. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
export const triesMax = pausesMs.length + 1;
/** A pause is lengthened by up to this part of it, so that receivers that failed together are not tried together. */
const jitterMax = 0.1;
/** No receiver puts a try off for longer. */
const retryAfterMaxMs = 24 * hour;

/**
 * When the try after a failed one is due, in ms since the Unix epoch; null when that was the last. `tries`: how many
 * there were; `now`: when the last one ended; `retryAfterMs`: how long the receiver asked to wait; `random`: at least 0,
 * less than 1.
 */
export function nextTryAt(failed: {
  tries: number;
  now: number;
  retryAfterMs: number | null;
  random: number;
}): number | null {
  const pause = pausesMs[failed.tries - 1];
  if (pause === undefined) return null;
  const wait = Math.max(pause, Math.min(failed.retryAfterMs ?? 0, retryAfterMaxMs));
  return failed.now + Math.round(wait * (1 + jitterMax * failed.random));
}

/** The wait that a Retry-After header asks for, in ms: seconds or an HTTP date. Null when it asks for none. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * second;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
