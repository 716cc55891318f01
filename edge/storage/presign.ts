import { presignedUrlSeconds } from "../../contracts/limits.ts";
import type { StorageAccess } from "../../contracts/storage-location.ts";
import { objectUrl } from "./object-url.ts";
import { s3Signer } from "./s3-signer.ts";

/** A URL for the object that needs no credentials, valid for 24 hours from `now` (ms since the Unix epoch). */
export async function presignGet(storage: StorageAccess, objectKey: string, now: number): Promise<string> {
  const url = objectUrl(storage, objectKey);
  url.searchParams.set("X-Amz-Expires", String(presignedUrlSeconds));
  const signed = await s3Signer(storage, { method: "GET", url, signQuery: true }, now).sign();
  return signed.url.href;
}
