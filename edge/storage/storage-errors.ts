import { ApiError } from "../http/api-error.ts";

/** `step`: what was tried of the bucket; `problem`: why it failed, for the bucket's owner. */
export const bucketTestFailed = (step: "put" | "get" | "delete", problem: string) =>
  new ApiError({
    status: 400,
    code: "bucket_test_failed",
    message: `Bucket test failed at ${step}: ${problem}`,
  });

/** No answer came: whether the file is still there is not known. */
export const storageUnreachable = () =>
  new ApiError({ status: 400, code: "storage_unreachable", message: "Storage could not be reached" });

export const deletionRefused = () =>
  new ApiError({ status: 400, code: "storage_refused", message: "Storage refused the deletion" });
