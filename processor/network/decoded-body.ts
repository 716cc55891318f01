import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** How to decode a body with this content coding, requested or not; null for an unknown coding. */
export function decoderOf(coding: string): ((body: Readable) => Readable) | null {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return (body) => body;
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (create === undefined) return null;
  // The reader of the decoded stream gets the error.
  return (body) => pipeline(body, create(), () => {});
}
