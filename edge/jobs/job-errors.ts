import { ApiError } from "../http/api-error.ts";

/** Also the answer for another account's job, so that nothing leaks. */
export const jobNotFound = () =>
  new ApiError({ status: 404, code: "job_not_found", message: "Job not found" });

export const invalidJobIdMessage = "Invalid job id";
