/** Milliseconds that a Retry-After header asks to wait from `nowMs` (Unix time) on; null if it asks for nothing. */
export function readRetryAfter(header: string | string[] | undefined, nowMs: number): number | null {
  if (typeof header !== "string") return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, until - nowMs);
}
