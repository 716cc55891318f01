import { isOverload, overloadRestSeconds } from "../platform-errors.ts";
import { ApiError, type ErrorDetail } from "./api-error.ts";

const kib = 1024;
const mib = 1024 * kib;

export const notFound = () => new ApiError({ status: 404, code: "not_found", message: "Not found" });

/** `allow`: the methods that the path supports. */
export const methodNotAllowed = (allow: readonly string[]) =>
  new ApiError({
    status: 405,
    code: "method_not_allowed",
    message: "Method not allowed",
    headers: { allow: allow.join(", ") },
  });

export const urlTooLong = (maxBytes: number) =>
  new ApiError({
    status: 400,
    code: "url_too_long",
    message: `Request URL too long (max ${maxBytes / kib} KiB)`,
  });

export const headersTooLarge = (maxBytes: number) =>
  new ApiError({
    status: 400,
    code: "headers_too_large",
    message: `Request headers too large (max ${maxBytes / kib} KiB)`,
  });

export const unsupportedMediaType = () =>
  new ApiError({
    status: 415,
    code: "unsupported_media_type",
    message: "Content-Type must be application/json",
  });

export const bodyTooLarge = (maxBytes: number) =>
  new ApiError({
    status: 413,
    code: "body_too_large",
    message: `Request body too large (max ${maxBytes % mib === 0 ? `${maxBytes / mib} MiB` : `${maxBytes} bytes`})`,
  });

export const invalidJson = () =>
  new ApiError({ status: 400, code: "invalid_json", message: "Request body is not valid JSON" });

export const bodyNotAnObject = () =>
  new ApiError({ status: 400, code: "invalid_body", message: "Request body must be a JSON object" });

/** The first detail becomes the response's sentence. */
export const invalidRequest = (details: readonly [ErrorDetail, ...ErrorDetail[]]) =>
  new ApiError({ status: 400, code: "invalid_request", message: details[0].message, details });

export const internalError = (cause: unknown) =>
  new ApiError({
    status: 500,
    code: "internal_error",
    message: "Internal server error",
    cause,
    ...(isOverload(cause) && { headers: { "retry-after": String(overloadRestSeconds) } }),
  });

export const unavailable = (cause: unknown) =>
  new ApiError({ status: 503, code: "unavailable", message: "Service unavailable", cause });
