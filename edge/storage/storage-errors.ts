import { ApiError } from "../http/api-error.ts";

/** `step`: what was tested; `problem`: why it failed, for the bucket's owner. */
export const bucketTestFailed = (step: "put" | "get" | "delete", problem: string) =>
  new ApiError({
    status: 400,
    code: "bucket_test_failed",
    message: `Bucket test failed at ${step}: ${problem}`,
  });

/** There was no response: whether the file still exists is unknown. */
export const storageUnreachable = () =>
  new ApiError({ status: 400, code: "storage_unreachable", message: "Storage could not be reached" });

export const deletionRefused = () =>
  new ApiError({ status: 400, code: "storage_refused", message: "Storage refused the deletion" });
