import type { OpenResponse } from "../network/open-response.ts";
import type { Span } from "./piece.ts";

/** Headers that ask for a stretch, provided the resource is still the same. Nothing for all of it. */
export function rangeHeaders({ position, end }: Span, validator: string | null): Record<string, string> {
  if (position === 0 && end === null) return {};
  const range = { range: `bytes=${position}-${end === null ? "" : end - 1}` };
  return position > 0 && validator !== null ? { ...range, "if-range": validator } : range;
}

type Answer = Pick<OpenResponse, "status" | "headers" | "length">;

/** Where in the resource an answer's body belongs. */
export interface Place {
  readonly start: number;
  /** Where the body ends, exclusive, where the answer says. */
  readonly end: number | null;
  /** Bytes of the whole resource, where the answer says. */
  readonly total: number | null;
  /** A strong ETag, or when it was last modified; null without either. */
  readonly validator: string | null;
  /** The server answers, or says that it would answer, ranges. */
  readonly knowsRanges: boolean;
}

export function placeOf({ status, headers, length }: Answer): Place {
  const etag = headers.etag?.startsWith('"') ? headers.etag : null;
  const validator = etag ?? headers["last-modified"] ?? null;
  const [, start, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
  if (status !== 206 || start === undefined) {
    const knowsRanges = headers["accept-ranges"] === "bytes" && length !== null;
    return { start: 0, end: length, total: length, validator, knowsRanges };
  }
  const whole = total === "*" ? null : Number(total);
  return { start: Number(start), end: Number(last) + 1, total: whole, validator, knowsRanges: true };
}
