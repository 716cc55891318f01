import { ApiError } from "../http/api-error.ts";

export const missingApiKey = () =>
  new ApiError({ status: 401, code: "missing_api_key", message: "Missing x-api-key header" });

export const invalidApiKey = () =>
  new ApiError({ status: 401, code: "invalid_api_key", message: "Invalid API Key" });
