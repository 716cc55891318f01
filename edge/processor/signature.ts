import {
  answerTextToSign,
  joinSignatures,
  signatureHeader,
  type SignedHeaders,
  type SignedMessage,
  textToSign,
  timestampHeader,
} from "../../contracts/signed-message.ts";
import { sha256Hex, toHex } from "../sha256-hex.ts";

const encoder = new TextEncoder();

/** Headers that prove to a node that the edge sent this body to this path, and what they sign. */
export async function signRequest(request: {
  secrets: readonly string[];
  method: string;
  path: string;
  body: string;
  clock: () => number;
}): Promise<{ headers: Record<string, string>; message: SignedMessage }> {
  const timestampMs = request.clock();
  const message: SignedMessage = {
    direction: "edge-to-node",
    method: request.method,
    path: request.path,
    timestampMs,
    bodySha256: await sha256Hex(request.body),
  };
  const signatures = await signaturesOf(textToSign(message), request.secrets);
  return { message, headers: { [timestampHeader]: String(timestampMs), [signatureHeader]: signatures } };
}

/** What a node signed for its request, if it did. */
export async function messageOfNode(request: {
  method: string;
  path: string;
  signed: SignedHeaders;
  body: Uint8Array;
}): Promise<SignedMessage> {
  return {
    direction: "node-to-edge",
    method: request.method,
    path: request.path,
    timestampMs: request.signed.timestampMs,
    bodySha256: await sha256Hex(request.body),
  };
}

/** True if a node that knows one of the secrets sent this body to this path at the time that the headers say. */
export async function isSignedByNode(
  request: { method: string; path: string; signed: SignedHeaders; body: Uint8Array },
  secrets: readonly string[],
): Promise<boolean> {
  return isSignatureOf(textToSign(await messageOfNode(request)), request.signed.signatures, secrets);
}

/** The header that proves to a node that this is the edge's answer to its request. */
export async function signAnswer(
  { request, status, body }: { request: SignedMessage; status: number; body: Uint8Array },
  secrets: readonly string[],
): Promise<Record<string, string>> {
  const text = answerTextToSign({ request, status, bodySha256: await sha256Hex(body) });
  return { [signatureHeader]: await signaturesOf(text, secrets) };
}

/** True if a node that knows one of the secrets gave this answer to this request of the edge. */
export async function isAnswerOfNode(
  { request, status, body }: { request: SignedMessage; status: number; body: Uint8Array },
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  const text = answerTextToSign({ request, status, bodySha256: await sha256Hex(body) });
  return isSignatureOf(text, signatures, secrets);
}

async function signaturesOf(text: string, secrets: readonly string[]): Promise<string> {
  const bytes = encoder.encode(text);
  const signatures = await Promise.all(
    secrets.map(async (secret) => toHex(await crypto.subtle.sign("HMAC", await importKey(secret), bytes))),
  );
  return joinSignatures(signatures);
}

async function isSignatureOf(
  text: string,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  const bytes = encoder.encode(text);
  for (const secret of secrets) {
    const key = await importKey(secret);
    for (const signature of signatures) {
      if (await crypto.subtle.verify("HMAC", key, fromHex(signature), bytes)) return true;
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
