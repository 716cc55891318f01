import type { StorageAccess } from "../../contracts/storage-location.ts";

type Place = Pick<StorageAccess, "endpoint" | "bucket" | "force_path_style">;

/** The URL of an object, with the bucket in its path or before its host. Throws a TypeError if that is not a URL. */
export function objectUrl(storage: Place, objectKey: string): URL {
  const path = objectKey.split("/").map(encodeStrictly).join("/");
  const { protocol, host, pathname } = new URL(storage.endpoint);
  const base = pathname.replace(/\/+$/, "");
  return storage.force_path_style
    ? new URL(`${protocol}//${host}${base}/${storage.bucket}/${path}`)
    : new URL(`${protocol}//${storage.bucket}.${host}${base}/${path}`);
}

/** Encodes everything that RFC 3986 does not leave unreserved, as the signature does: a `+` or `'` must not differ. */
function encodeStrictly(segment: string): string {
  return encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
