import { AwsV4Signer } from "aws4fetch";
import { presignedUrlSeconds } from "../../contracts/limits.ts";
import type { StorageAccess } from "../../contracts/storage-location.ts";

/** A URL that fetches the object without credentials, valid for 24 hours from `now` (ms since the Unix epoch). */
export async function presignGet(storage: StorageAccess, objectKey: string, now: number): Promise<string> {
  const url = objectUrl(storage, objectKey);
  url.searchParams.set("X-Amz-Expires", String(presignedUrlSeconds));
  const signer = new AwsV4Signer({
    method: "GET",
    url: url.href,
    service: "s3",
    region: storage.region,
    accessKeyId: storage.access_key_id,
    secretAccessKey: storage.secret_access_key,
    datetime: new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, ""),
    signQuery: true,
  });
  const signed = await signer.sign();
  return signed.url.href;
}

function objectUrl(storage: StorageAccess, objectKey: string): URL {
  const path = objectKey.split("/").map(encodeStrictly).join("/");
  const url = new URL(`${storage.endpoint}/`);
  if (storage.force_path_style) return new URL(`${storage.bucket}/${path}`, url);
  url.hostname = `${storage.bucket}.${url.hostname}`;
  return new URL(path, url);
}

/** Encodes all that RFC 3986 does not leave unreserved, as the signature does: a `+` or `'` must not differ. */
function encodeStrictly(segment: string): string {
  return encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
