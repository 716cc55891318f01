import {
  joinSignatures,
  signatureHeader,
  type SignedHeaders,
  type SignedMessage,
  textToSign,
  timestampHeader,
} from "../../contracts/signed-message.ts";
import { sha256Hex, toHex } from "../sha256-hex.ts";

const encoder = new TextEncoder();

/** Headers that prove to a node that the edge sent this body to this path. */
export async function signRequest(request: {
  secrets: readonly string[];
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
  const bytes = encoder.encode(text);
  const signatures = await Promise.all(
    request.secrets.map(async (secret) =>
      toHex(await crypto.subtle.sign("HMAC", await importKey(secret), bytes)),
    ),
  );
  return { [timestampHeader]: String(timestampMs), [signatureHeader]: joinSignatures(signatures) };
}

/** True if a node that knows one of the secrets sent this body to this path at the time that the headers say. */
export async function isSignedByNode(
  request: { method: string; path: string; signed: SignedHeaders; body: Uint8Array },
  secrets: readonly string[],
): Promise<boolean> {
  const { timestampMs, signatures } = request.signed;
  const message: SignedMessage = {
    direction: "node-to-edge",
    method: request.method,
    path: request.path,
    timestampMs,
    bodySha256: await sha256Hex(request.body),
  };
  const text = encoder.encode(textToSign(message));
  for (const secret of secrets) {
    const key = await importKey(secret);
    for (const signature of signatures) {
      if (await crypto.subtle.verify("HMAC", key, fromHex(signature), text)) return true;
    }
  }
  return false;
}

function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
