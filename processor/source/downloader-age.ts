const dayMs = 24 * 60 * 60 * 1000;

/** Whole days since the release of a version such as 2026.11.01, at `now` in Unix milliseconds; null for another form. */
export function downloaderAgeDays(version: string, now: number): number | null {
  const [, year, month, day] = /^(\d{4})\.(\d{1,2})\.(\d{1,2})/.exec(version) ?? [];
  if (year === undefined) return null;
  const releasedAt = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return Math.max(0, Math.floor((now - releasedAt) / dayMs));
}
