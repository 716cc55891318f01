import { sha256Hex } from "../sha256-hex.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import type { EncryptionKey } from "./encryption-key.ts";

/** The text cannot be decrypted: its key is gone, or it was changed, or moved here from elsewhere. */
export class CannotDecrypt extends Error {
  override readonly name = "CannotDecrypt";
}

/** The keys of a deployment, newest first. The first one encrypts, all decrypt. */
export type EncryptionKeys = readonly EncryptionKey[];

/** What a text belongs to, such as a table's name and a row's id: only the same words can decrypt it. */
export type EncryptionContext = readonly string[];

const version = "v1";
const algorithm = "AES-GCM";
const nonceBytes = 12;
const keyIdLength = 8;
const encoder = new TextEncoder();

/** Encrypts a text with AES-256-GCM: `v1.<key id>.<nonce>.<ciphertext>`, the last two in base64. */
export async function encrypt(
  keys: EncryptionKeys,
  text: string,
  context: EncryptionContext,
): Promise<string> {
  const [key] = keys;
  if (key === undefined) throw new Error("There is no key to encrypt with");
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const encrypted = await crypto.subtle.encrypt(
    parametersOf(nonce, context),
    await importKey(key, "encrypt"),
    encoder.encode(text),
  );
  return `${await encryptedPrefix(key)}${toBase64(nonce)}.${toBase64(new Uint8Array(encrypted))}`;
}

/** The text given to `encrypt` with one of the keys and this context. Rejects with CannotDecrypt otherwise. */
export async function decrypt(
  keys: EncryptionKeys,
  encrypted: string,
  context: EncryptionContext,
): Promise<string> {
  const [textVersion, keyId, nonce = "", ciphertext = ""] = encrypted.split(".");
  if (textVersion !== version) throw new CannotDecrypt("The encrypted text has no known form");
  for (const key of keys) {
    if ((await keyIdOf(key)) !== keyId) continue;
    try {
      const bytes = await crypto.subtle.decrypt(
        parametersOf(fromBase64(nonce), context),
        await importKey(key, "decrypt"),
        fromBase64(ciphertext),
      );
      return new TextDecoder().decode(bytes);
    } catch (error) {
      throw new CannotDecrypt("The encrypted text is not what it was", { cause: error });
    }
  }
  throw new CannotDecrypt("The key of the encrypted text is not among the deployment's");
}

function parametersOf(nonce: Uint8Array<ArrayBuffer>, context: EncryptionContext) {
  return { name: algorithm, iv: nonce, additionalData: encoder.encode(JSON.stringify(context)) };
}

function importKey(key: EncryptionKey, usage: "encrypt" | "decrypt") {
  return crypto.subtle.importKey("raw", key, algorithm, false, [usage]);
}

/** The prefix of every text encrypted with this key. */
export async function encryptedPrefix(key: EncryptionKey): Promise<string> {
  return `${version}.${await keyIdOf(key)}.`;
}

/** Identifies a key without revealing it. */
async function keyIdOf(key: EncryptionKey): Promise<string> {
  return (await sha256Hex(key)).slice(0, keyIdLength);
}
