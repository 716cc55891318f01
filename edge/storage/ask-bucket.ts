import type { StorageAccess } from "../../contracts/storage-location.ts";
import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import { objectUrl } from "./object-url.ts";
import { s3Signer, type UnsignedRequest } from "./s3-signer.ts";

export interface BucketRequest extends Pick<UnsignedRequest, "method" | "body" | "headers"> {
  /** Empty: the request is about the bucket. */
  readonly objectKey: string;
  /** A multipart upload, if the request is about that instead of the object. */
  readonly uploadId?: string;
  /** The body lists objects to delete. */
  readonly deletesListed?: true;
  /** Ends the request early. */
  readonly until?: AbortSignal;
  /** How much of the response body is read; 1 KiB if not given. */
  readonly textMaxBytes?: number;
}

/** A bucket's response to a request. */
export interface BucketAnswer {
  readonly ok: boolean;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly headers: Headers;
  /** The beginning of the response body. */
  readonly text: string;
  /** Why it failed, in our own words without quoting the response; for the bucket's owner. */
  readonly problem: string;
}

export type BucketAsker = Pick<Dependencies, "fetch" | "clock" | "log">;

const timeoutMs = 10_000;
const defaultTextMaxBytes = 1024;

/** Sends one signed request to a bucket, without retries or redirects. Never rejects. */
export async function askBucket(
  { fetch, clock, log }: BucketAsker,
  access: StorageAccess,
  {
    method,
    objectKey,
    uploadId,
    deletesListed,
    body,
    headers: given = {},
    until,
    textMaxBytes,
  }: BucketRequest,
): Promise<BucketAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = until === undefined ? timeout : AbortSignal.any([timeout, until]);
  try {
    const url = objectUrl(access, objectKey);
    if (uploadId !== undefined) url.searchParams.set("uploadId", uploadId);
    // Not every storage knows its bucket by a path that ends with a slash.
    if (objectKey === "") url.pathname = url.pathname.replace(/\/$/, "");
    if (deletesListed === true) url.searchParams.set("delete", "");
    const unsigned = { method, url, headers: given, ...(body !== undefined && { body }) };
    const signer = s3Signer(access, unsigned, clock());
    const { headers } = await signer.sign();
    const sent = {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(body !== undefined && { body }),
    } as const;
    const response = await fetch(url.href, sent);
    const text = await readBeginning(response, textMaxBytes ?? defaultTextMaxBytes);
    const { ok, status } = response;
    return { ok, status, headers: response.headers, text, problem: problemOf(status) };
  } catch (error) {
    log.info("A bucket did not answer", { method, ...errorFields(error) });
    const problem = timeout.aborted
      ? `no answer within ${timeoutMs / 1000} s`
      : "the endpoint could not be reached";
    return { ok: false, status: null, headers: new Headers(), text: "", problem };
  }
}

/** A missing object needs no deletion. A missing bucket says nothing about what it holds. */
export function isDeleted({ ok, status, text }: BucketAnswer): boolean {
  return ok || (status === 404 && /NoSuch(?:Key|Upload)/.test(text));
}

function problemOf(status: number): string {
  if (status === 401 || status === 403) return "access was denied";
  if (status === 404) return "the bucket or the object is not there";
  if (status >= 300 && status < 400) return "the endpoint redirects elsewhere, is the region right?";
  return `the endpoint answered ${status}`;
}

async function readBeginning({ body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    if (bytes >= maxBytes) break;
  }
  return text;
}
