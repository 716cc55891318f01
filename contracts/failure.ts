import { z } from "zod";
import { cutText } from "./cut-text.ts";

export const failureCodes = [
  "video_unavailable",
  "sign_in_required",
  "rate_limited",
  "connection_timeout",
  "format_not_available",
  "unsupported_url",
  "is_show",
  "source_error",
  "invalid_media",
  "too_large",
  "storage_error",
  "time_limit",
  "interrupted",
  "cancelled",
  "internal",
] as const;
export const failureCodeSchema = z.enum(failureCodes);
export type FailureCode = z.infer<typeof failureCodeSchema>;

interface FailureKind {
  readonly sentence: string;
  readonly retryable: boolean;
}

/** Every way a job can fail: the sentence that its `error` starts with, and whether a retry may help. */
export const failureKinds: Readonly<Record<FailureCode, FailureKind>> = {
  video_unavailable: { sentence: "Video unavailable", retryable: false },
  sign_in_required: { sentence: "Sign in to confirm", retryable: false },
  rate_limited: { sentence: "Rate limited", retryable: true },
  connection_timeout: { sentence: "Connection timeout", retryable: true },
  format_not_available: { sentence: "Format not available", retryable: false },
  unsupported_url: { sentence: "Unsupported URL", retryable: false },
  is_show: { sentence: "Unsupported URL: this is a podcast show", retryable: false },
  source_error: { sentence: "Source error", retryable: true },
  invalid_media: { sentence: "Invalid media", retryable: false },
  too_large: { sentence: "File too large (max 50 GiB)", retryable: false },
  storage_error: { sentence: "Storage error", retryable: true },
  time_limit: { sentence: "Processing took too long (max 6 hours)", retryable: false },
  interrupted: { sentence: "Processing was interrupted too many times", retryable: true },
  cancelled: { sentence: "Job cancelled by user", retryable: false },
  internal: { sentence: "Internal error", retryable: true },
};

const detailMaxCharacters = 300;

/**
 * The `error` of a failed job: its sentence and, after a colon, what helps the user. The downloader's name in any
 * spelling becomes `downloader`.
 */
export function failureText(code: FailureCode, detail?: string | null): string {
  const { sentence } = failureKinds[code];
  const cleaned = detail ? sanitizeDetail(detail) : "";
  return cleaned ? `${sentence}: ${cleaned}` : sentence;
}

function sanitizeDetail(detail: string): string {
  const cleaned = detail
    .replaceAll(/yt[-_ ]?dlp/giu, "downloader")
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return cutText(cleaned, detailMaxCharacters);
}
