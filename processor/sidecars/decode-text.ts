import { isUtf8 } from "node:buffer";

/**
 * Decodes bytes by their byte order mark if there is one, otherwise as UTF-8, otherwise as the encoding of older
 * Western subtitles.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252").decode(bytes);
}
