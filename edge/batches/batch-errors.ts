import { ApiError } from "../http/api-error.ts";

/** Also returned for another account's batch, so that nothing leaks. */
export const batchNotFound = () =>
  new ApiError({ status: 404, code: "batch_not_found", message: "Batch not found" });
