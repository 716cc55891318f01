import { create as contentDisposition } from "content-disposition";
import type { ClaimedJob } from "../../contracts/task.ts";

/** What a look at a key shows. */
export interface StoredObject {
  readonly bytes: number;
  /** The job that wrote it; null for an object of somebody else. */
  readonly jobId: string | null;
  /** The attempt of that job; null where the object does not say. */
  readonly claim: number | null;
  /** The MD5 of its bytes, in hexadecimal digits, where it was stored in one request and the storage gives that. */
  readonly etag: string | null;
}

/** True for an object that this job wrote, whole. */
export function isFileOf(
  object: Pick<StoredObject, "bytes" | "jobId"> | null,
  jobId: string,
  fileBytes: number,
): boolean {
  return object !== null && object.jobId === jobId && object.bytes === fileBytes;
}

/** What is stored with an object: how a browser shows and saves it, and who wrote it. */
export interface ObjectHeaders {
  readonly ContentType: string;
  readonly ContentDisposition: string;
  readonly Metadata: Readonly<Record<"job" | "claim", string>>;
}

/** `storageKey` ends in the file's name, which is what a browser saves the file as. */
export function objectHeaders(
  { job_id, claim }: ClaimedJob,
  storageKey: string,
  contentType: string,
): ObjectHeaders {
  const fileName = storageKey.slice(storageKey.lastIndexOf("/") + 1);
  return {
    ContentType: contentType,
    ContentDisposition: contentDisposition(fileName),
    Metadata: { job: job_id, claim: String(claim) },
  };
}
