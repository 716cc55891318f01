const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** From the end of the first, second … attempt to the start of the next. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
export const triesMax = pausesMs.length + 1;
/** A pause is extended by up to this fraction, so that receivers that failed together are not retried together. */
const jitterMax = 0.1;
/** No receiver can postpone an attempt for longer. */
const retryAfterMaxMs = 24 * hour;

/**
 * When the attempt after a failed one is due, in ms since the Unix epoch; null if that was the last. `tries`: how many
 * there were; `now`: when the last one ended; `retryAfterMs`: how long the receiver asked to wait; `random`: in [0, 1).
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

/** The delay that a Retry-After header asks for, in ms: seconds or an HTTP date. Null if it asks for none. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * second;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
