import { signatureWindowMs } from "../../contracts/limits.ts";
import {
  signatureHeader,
  type SignedMessage,
  textToSign,
  timestampHeader,
} from "../../contracts/signed-message.ts";
import { sha256Hex, toHex } from "../sha256-hex.ts";

const encoder = new TextEncoder();

/** Headers that prove to a node that the edge sent this body there. */
export async function signRequest(request: {
  secret: string;
  method: string;
  path: string;
  body: string;
  clock: () => number;
}): Promise<Record<string, string>> {
  const timestampMs = request.clock();
  const text = textToSign({
    direction: "edge-to-node",
    method: request.method,
    path: request.path,
    timestampMs,
    bodySha256: await sha256Hex(request.body),
  });
  const signature = await crypto.subtle.sign("HMAC", await importKey(request.secret), encoder.encode(text));
  return { [timestampHeader]: String(timestampMs), [signatureHeader]: toHex(signature) };
}

/** True when a node that knows one of the secrets sent this body here, not longer ago than the window allows. */
export async function isSignedByNode(
  request: { method: string; path: string; headers: Headers; body: Uint8Array },
  secrets: readonly string[],
  now: number,
): Promise<boolean> {
  const timestampMs = Number(request.headers.get(timestampHeader) ?? Number.NaN);
  const signature = fromHex(request.headers.get(signatureHeader) ?? "");
  if (!(Math.abs(now - timestampMs) <= signatureWindowMs) || signature === null) return false;
  const message: SignedMessage = {
    direction: "node-to-edge",
    method: request.method,
    path: request.path,
    timestampMs,
    bodySha256: await sha256Hex(request.body),
  };
  const text = encoder.encode(textToSign(message));
  for (const secret of secrets) {
    if (await crypto.subtle.verify("HMAC", await importKey(secret), signature, text)) return true;
  }
  return false;
}

function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
}

function fromHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
