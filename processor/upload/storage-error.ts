import { S3ServiceException } from "@aws-sdk/client-s3";
import { z } from "zod";
import type { Setback } from "../network/patience.ts";
import { readRetryAfter } from "../network/retry-after.ts";
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

/** Codes of errors that storage may answer with although the same request succeeds a little later. */
const passingNames: ReadonlySet<string> = new Set([
  "RequestTimeout",
  "RequestTimeTooSkewed",
  "RequestExpired",
  "SlowDown",
  "InternalError",
]);
const passingCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "ENOTFOUND",
]);
const statusesThatLast: ReadonlySet<number> = new Set([501, 505, 507]);

/** What the error of a storage request says about asking again; null if that is useless. */
export function setbackOf(error: unknown): Setback | null {
  const isPassing =
    isPassingStatus(statusOf(error)) ||
    (error instanceof Error &&
      (passingNames.has(error.name) ||
        error.name === "TimeoutError" ||
        ("code" in error && typeof error.code === "string" && passingCodes.has(error.code))));
  return isPassing ? { kind: "passing", askedMs: askedMsOf(error) } : null;
}

function isPassingStatus(status: number | undefined): boolean {
  if (status === undefined || statusesThatLast.has(status)) return false;
  return status >= 500 || status === 408 || status === 429;
}

function askedMsOf(error: unknown): number {
  const headers = error instanceof S3ServiceException ? error.$response?.headers : undefined;
  return readRetryAfter(headers?.["retry-after"], Date.now()) ?? 0;
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

/** Also of an answer that was not storage's own, such as a page of a proxy in front of it. */
function statusOf(error: unknown): number | undefined {
  const answered = answeredSchema.safeParse(error);
  return answered.success ? answered.data.$metadata.httpStatusCode : undefined;
}

const answeredSchema = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });

function isNamed(error: unknown, name: string): boolean {
  return error instanceof S3ServiceException && error.name === name;
}
