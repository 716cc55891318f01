import { ApiError } from "../http/api-error.ts";

/** Also returned for another account's job, so that nothing leaks. */
export const jobNotFound = () =>
  new ApiError({ status: 404, code: "job_not_found", message: "Job not found" });

/** `message` is the reason, which each way to cancel words differently. */
export const jobNotCancellable = (message: string) =>
  new ApiError({ status: 400, code: "job_not_cancellable", message });

export const jobNotRetryable = () =>
  new ApiError({ status: 400, code: "job_not_retryable", message: "Only failed jobs can be retried" });

export const jobHasNoFile = () =>
  new ApiError({ status: 400, code: "job_has_no_file", message: "Job has no file to delete" });
