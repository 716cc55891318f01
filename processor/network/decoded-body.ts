import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** How to read a body in a content coding, whatever was asked for; null for a coding that is not known. */
export function decoderOf(coding: string): ((body: Readable) => Readable) | null {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return (body) => body;
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (create === undefined) return null;
  // Whoever reads what is decoded gets the error.
  return (body) => pipeline(body, create(), () => {});
}
