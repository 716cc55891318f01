const dayMs = 24 * 60 * 60 * 1000;

/** The UTC day of a time in ms, YYYY-MM-DD. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The UTC day of `now` and those before it, `count` in total, oldest first. */
export function lastDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * dayMs));
}
