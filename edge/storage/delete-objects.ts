import type { StorageAccess } from "../../contracts/storage-location.ts";
import { toBase64 } from "../encryption/base64.ts";
import { askBucket, type BucketAsker } from "./ask-bucket.ts";

/** An answer names objects that could not be deleted, and perhaps the others, each in some hundred bytes. */
const textMaxBytes = 1024 * 1024;

/**
 * Deletes up to 1,000 objects with one request and returns the keys of those that are gone, which may have been gone
 * before. Null if the bucket does not answer, or answers anything but a list: not every storage knows this request. Never
 * rejects.
 */
export async function deleteObjects(
  around: BucketAsker,
  access: StorageAccess,
  objectKeys: readonly string[],
  until: AbortSignal,
): Promise<Set<string> | null> {
  const objects = objectKeys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`);
  const body = `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects.join("")}</Delete>`;
  const digest = await crypto.subtle.digest("MD5", new TextEncoder().encode(body));
  const headers = { "content-md5": toBase64(new Uint8Array(digest)), "content-type": "application/xml" };
  const request = {
    method: "POST",
    objectKey: "",
    deletesListed: true,
    body,
    headers,
    until,
    textMaxBytes,
  } as const;
  const { ok, text } = await askBucket(around, access, request);
  // An answer that was cut off has no end.
  if (!ok || !/<\/DeleteResult>|<DeleteResult[^<>]*\/>/.test(text)) return null;
  // Some name the deleted ones too, though asked to be quiet.
  const errors = Array.from(text.matchAll(/<Error>.*?<\/Error>/gs), ([error]) => error);
  const kept = new Set(errors.map((error) => unescapeXml(/<Key>([^<]*)<\/Key>/.exec(error)?.[1] ?? "")));
  return new Set(objectKeys.filter((key) => !kept.has(key)));
}

const entities: readonly (readonly [character: string, entity: string])[] = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
];

function escapeXml(text: string): string {
  return entities.reduce((escaped, [character, entity]) => escaped.replaceAll(character, entity), text);
}

/** Also of character references, which a server may prefer. */
function unescapeXml(text: string): string {
  return text
    .replaceAll(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex?: string, decimal = "") =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replaceAll(
      /&(?:lt|gt|quot|apos|amp);/g,
      (entity) => entities.find(([, known]) => known === entity)?.[0] ?? "",
    );
}
