import { create as contentDisposition } from "content-disposition";
import type { ClaimedJob } from "../../contracts/task.ts";

/** What a HEAD request for a key returns. */
export interface StoredObject {
  readonly bytes: number;
  /** The job that wrote it; null if Ferry did not write it. */
  readonly jobId: string | null;
  /** The claim of the attempt that wrote it; null if the object has none. */
  readonly claim: number | null;
  /** Unquoted; null if not sent. The hexadecimal MD5 of the bytes if one PUT stored them and the storage uses MD5. */
  readonly etag: string | null;
}

/** Whether the object was written by this job and has the expected size. */
export function isFileOf(
  object: Pick<StoredObject, "bytes" | "jobId"> | null,
  jobId: string,
  fileBytes: number,
): boolean {
  return object !== null && object.jobId === jobId && object.bytes === fileBytes;
}

/** The headers an object is stored with: how a browser displays and saves it, and who wrote it. */
export interface ObjectHeaders {
  readonly ContentType: string;
  readonly ContentDisposition: string;
  readonly Metadata: Readonly<Record<"job" | "claim", string>>;
}

/** The last segment of `storageKey` becomes the name that a browser saves the file under. */
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
