import { ApiError } from "../http/api-error.ts";

export const missingApiKey = () =>
  new ApiError({ status: 401, code: "missing_api_key", message: "Missing x-api-key header" });

export const invalidApiKey = () =>
  new ApiError({ status: 401, code: "invalid_api_key", message: "Invalid API Key" });

/** Of the account's own jobs, `max` or more wait already. */
export const tooManyPending = (max: number) =>
  new ApiError({
    status: 429,
    code: "too_many_pending",
    message: `Too many jobs waiting (max ${max})`,
    headers: { "retry-after": "60" },
  });

export const tooManyRequests = (retryAfterSeconds: number) =>
  new ApiError({
    status: 429,
    code: "too_many_requests",
    message: `Too many requests, try again in ${retryAfterSeconds} seconds`,
    headers: { "retry-after": String(retryAfterSeconds) },
  });
