import type { OpenResponse } from "../network/open-response.ts";

/** Headers that ask for what comes from `start` on, at most `rangeBytes`, provided the resource is still the same. */
export function rangeHeaders(
  start: number,
  rangeBytes: number | null,
  validator: string | null,
): Record<string, string> {
  if (start === 0 && rangeBytes === null) return {};
  const end = rangeBytes === null ? "" : start + rangeBytes - 1;
  const range = { range: `bytes=${start}-${end}` };
  return start > 0 && validator !== null ? { ...range, "if-range": validator } : range;
}

/** Where in the resource an answer's body belongs. */
export interface Place {
  readonly start: number;
  /** Where the body ends, exclusive, where the answer says. */
  readonly end: number | null;
  /** Bytes of the whole resource, where the answer says. */
  readonly total: number | null;
  /** A strong ETag, or when it was last modified; null without either. */
  readonly validator: string | null;
}

export function placeOf({ status, headers, length }: OpenResponse): Place {
  const etag = headers.etag?.startsWith('"') ? headers.etag : null;
  const validator = etag ?? headers["last-modified"] ?? null;
  const [, start, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
  if (status !== 206 || start === undefined) return { start: 0, end: length, total: length, validator };
  const whole = total === "*" ? null : Number(total);
  return { start: Number(start), end: Number(last) + 1, total: whole, validator };
}
