import { errors } from "undici";
import { JobFailure } from "../pipeline/job.ts";
import { ForbiddenAddress } from "./address-guard.ts";

/** The source does not have the requested range, for example because it has changed. */
export class RangeRefused extends JobFailure {
  constructor() {
    super("source_error", "the source refused a range");
  }
}

/** What the source has now differs from what has already been passed on. */
export class SourceChanged extends JobFailure {
  constructor() {
    super("source_error", "the source changed while it was fetched");
  }
}

/** The source sends nothing, or nothing more. */
export class SourceSilent extends JobFailure {
  constructor(options?: ErrorOptions) {
    super("connection_timeout", null, options);
  }
}

/** What the source answers is not valid HTTP. */
export class MalformedAnswer extends JobFailure {
  constructor(options?: ErrorOptions) {
    super("source_error", "the response is not valid HTTP", options);
  }
}

/** The source is not there at the moment: it refused or broke the connection, or answered 5xx. */
export class SourceDown extends JobFailure {}

/** The source asks to wait (429, 503). */
export class SourceBusy extends JobFailure {
  /** How long it asks to be left alone, in ms; null if it does not say. */
  readonly waitMs: number | null;

  constructor(status: 429 | 503, waitMs: number | null) {
    super(
      status === 429 ? "rate_limited" : "source_error",
      status === 503 ? "the source answered 503" : null,
    );
    this.waitMs = waitMs;
  }
}

/** The job failure for a response's status; null for a response with content. */
export function failureOfStatus(status: number, waitMs: number | null = null): JobFailure | null {
  if (status === 200 || status === 206) return null;
  if (status === 404 || status === 410) return new JobFailure("video_unavailable");
  if (status === 401 || status === 403) return new JobFailure("sign_in_required");
  if (status === 429 || status === 503) return new SourceBusy(status, waitMs);
  if (status === 408) return new JobFailure("connection_timeout");
  const detail = `the source answered ${status}`;
  return status >= 500 ? new SourceDown("source_error", detail) : new JobFailure("unsupported_url", detail);
}

/** Codes of node and undici for a source that sends nothing … */
const silenceCodes: ReadonlySet<string> = new Set([
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);
/** … for one that cannot be reached at the moment … */
const downCodes: ReadonlySet<string> = new Set(["EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"]);
/** … and for a connection that it broke. */
const cutCodes: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "UND_ERR_SOCKET",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

/** Codes for what a parser of HTTP rejects; undici asserts what its own should already have rejected. */
const malformedCodes = /^(HPE_|ERR_ASSERTION$)/;

/** Codes of other failures of a connection, in TCP, TLS (including certificates), HTTP or the content coding. */
const brokenCodes =
  /^(UND_ERR_|ECONN|ENET|EPIPE|EPROTO|ERR_TLS_|ERR_SSL_|ERR_STREAM_PREMATURE_CLOSE|Z_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

/**
 * The job failure for an error while requesting or reading: a JobFailure for anything the network or the source did; a
 * full disk, a bug or anything else is returned unchanged.
 */
export function failureOfNetworkError(error: unknown): unknown {
  if (error instanceof ForbiddenAddress) {
    return new JobFailure("unsupported_url", error.message, { cause: error });
  }
  if (error instanceof errors.HTTPParserError) return new MalformedAnswer({ cause: error });
  const code = codeOf(error);
  if (code === null || error instanceof JobFailure) return error;
  if (silenceCodes.has(code)) return new SourceSilent({ cause: error });
  if (code === "ENOTFOUND") return new JobFailure("connection_timeout", null, { cause: error });
  if (downCodes.has(code)) return new SourceDown("connection_timeout", null, { cause: error });
  if (malformedCodes.test(code)) return new MalformedAnswer({ cause: error });
  if (cutCodes.has(code)) return new SourceDown("source_error", "the connection broke", { cause: error });
  if (brokenCodes.test(code)) return new JobFailure("source_error", "the connection broke", { cause: error });
  return error;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
