import type { OpenResponse } from "../network/open-response.ts";
import type { Span } from "./piece.ts";

/** Headers that request a range, provided the resource has not changed. None for the whole resource. */
export function rangeHeaders({ position, end }: Span, validator: string | null): Record<string, string> {
  if (position === 0 && end === null) return {};
  const range = { range: `bytes=${position}-${end === null ? "" : end - 1}` };
  return position > 0 && validator !== null ? { ...range, "if-range": validator } : range;
}

type Answer = Pick<OpenResponse, "status" | "headers" | "length">;

/** Where in the resource a response body belongs. */
export interface Place {
  readonly start: number;
  /** Where the body ends, exclusive; null if the response does not say. */
  readonly end: number | null;
  /** Size of the whole resource in bytes; null if the response does not say. */
  readonly total: number | null;
  /** A strong ETag, or the time of the last modification; null if there is neither. */
  readonly validator: string | null;
  /** The response is for a range, or says that the server supports ranges. */
  readonly knowsRanges: boolean;
}

/** Reads from a response's status and headers where its body belongs. */
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
