import { sha256Hex } from "../sha256-hex.ts";

/** What is stored of a key: its SHA-256 in lower-case hex. A key has 172 random bits, so it needs no salt. */
export function hashApiKey(key: string): Promise<string> {
  return sha256Hex(key);
}
