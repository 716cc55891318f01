/** What is stored of a key: its SHA-256 in lower-case hex. A key has 172 random bits, so that no salt is needed. */
export async function hashApiKey(key: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
