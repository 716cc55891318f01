import { z } from "zod";
import { fromBase64 } from "./base64.ts";

const keyBytes = 32;

/** An AES-256 key as the environment holds it: 32 bytes in base64. Error messages never quote it. */
export const encryptionKeySchema = z.string().transform((text, context) => {
  const bytes = bytesOf(text);
  if (bytes?.length === keyBytes) return bytes;
  context.addIssue("must be 32 bytes in base64");
  return z.NEVER;
});
export type EncryptionKey = z.output<typeof encryptionKeySchema>;

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? fromBase64(text) : null;
}
