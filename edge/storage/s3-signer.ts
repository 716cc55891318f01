import { AwsV4Signer } from "aws4fetch";
import type { StorageAccess } from "../../contracts/storage-location.ts";

/** A request to storage before it is signed. */
export interface UnsignedRequest {
  readonly method: "HEAD" | "GET" | "PUT" | "POST" | "DELETE";
  readonly url: URL;
  readonly body?: string;
  /** Sent and signed along with the signature's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sign in the URL, for clients without credentials, instead of in headers. */
  readonly signQuery?: boolean;
}

/**
 * Derived signing keys, valid for a day, by credentials, day and region: deriving one costs four times as much as
 * signing. Cleared when it grows large, since an isolate can live for days and meet many buckets.
 */
const signingKeys = new Map<string, ArrayBuffer>();
const signingKeysMax = 500;

/** Signs a request with a bucket's credentials as of `now`, ms. */
export function s3Signer(
  { region, access_key_id, secret_access_key }: StorageAccess,
  { url, ...request }: UnsignedRequest,
  now: number,
): AwsV4Signer {
  if (signingKeys.size >= signingKeysMax) signingKeys.clear();
  return new AwsV4Signer({
    ...request,
    url: url.href,
    cache: signingKeys,
    service: "s3",
    region,
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    datetime: new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, ""),
  });
}
