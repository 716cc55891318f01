import { randomBytes } from "node:crypto";
import { apiKeyPrefix, generateApiKey } from "../../contracts/api-key.ts";
import { hashApiKey } from "../../edge/accounts/api-key-hash.ts";
import type { StoredKey } from "./account-store.ts";

/** Draws a new key. It is shown once; only its `storedKey` is kept. */
export function drawApiKey(): string {
  return generateApiKey((count) => randomBytes(count));
}

/** What the database stores of a key. */
export async function storedKey(key: string): Promise<StoredKey> {
  return { hash: await hashApiKey(key), prefix: apiKeyPrefix(key) };
}
