import { S3ServiceException } from "@aws-sdk/client-s3";
import { JobFailure } from "../pipeline/job.ts";

/** An object with this key already exists, so nothing was written. */
export class KeyTaken extends Error {
  override readonly name = "KeyTaken";
}

/** Maps the error of a storage request to what the job ends with: the signal's reason, KeyTaken or a JobFailure. */
export function asStorageError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof JobFailure) return error;
  if (statusOf(error) === 412) return new KeyTaken("the key is taken", { cause: error });
  return new JobFailure("storage_error", explanation(error), { cause: error });
}

/** True if the object or upload does not exist. A missing bucket does not count. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && !isNamed(error, "NoSuchBucket");
}

/** A cause that the owner of the bucket can act on; null if there is none. */
function explanation(error: unknown): string | null {
  if (!(error instanceof S3ServiceException)) return "storage could not be reached";
  if (isNamed(error, "NoSuchBucket")) return "the bucket does not exist";
  const status = statusOf(error);
  if (status === 401 || status === 403) return "access was denied";
  if (status === 507) return "storage is full";
  return null;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof S3ServiceException && error.name === name;
}
