import { fromBase64, toBase64 } from "../encryption/base64.ts";

const prefix = "whsec_";
const encoder = new TextEncoder();

/** Length of a new secret's key: as long as the signature's hash. */
export const webhookKeyBytes = 32;

/** The text form of a secret, as receivers' libraries accept it. */
export function webhookSecretOf(key: Uint8Array): string {
  return `${prefix}${toBase64(key)}`;
}

/**
 * The Standard Webhooks headers for a body, with one signature per secret. `id` is the same for all attempts of an
 * event, `now` (ms since the Unix epoch) is the attempt's own.
 */
export async function webhookHeaders(
  { id, body }: { id: string; body: string },
  secrets: readonly string[],
  now: number,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signed = encoder.encode(`${id}.${timestamp}.${body}`);
  const signatures = await Promise.all(secrets.map(async (secret) => `v1,${await sign(secret, signed)}`));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

async function sign(secret: string, bytes: Uint8Array): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    fromBase64(secret.slice(prefix.length)),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  return toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes)));
}
