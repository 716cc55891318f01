import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import {
  answerTextToSign,
  joinSignatures,
  signatureHeader,
  textToSign,
  timestampHeader,
  type SignedMessage,
} from "../contracts/signed-message.ts";

/** What is signed, with the body itself instead of its hash. */
export type Message = Omit<SignedMessage, "bodySha256"> & { readonly body: Uint8Array };

/** The two headers that authenticate a message to the other side, whichever of the secrets it knows. */
export function signatureHeaders(message: Message, secrets: readonly string[]): Record<string, string> {
  return {
    [timestampHeader]: String(message.timestampMs),
    [signatureHeader]: signaturesOf(signedText(message), secrets),
  };
}

/** True if one of `secrets` produced one of these signatures of the message. The caller checks the age. */
export function isSignedWith(
  secrets: readonly string[],
  message: Message,
  signatures: readonly string[],
): boolean {
  return isSignatureOf(signedText(message), secrets, signatures);
}

/** An answer to a signed request. */
export interface Answer {
  readonly request: Message;
  readonly status: number;
  readonly body: Uint8Array;
}

/** The header that authenticates an answer to whoever sent the request. */
export function answerSignatureHeader(answer: Answer, secrets: readonly string[]): Record<string, string> {
  return { [signatureHeader]: signaturesOf(answerText(answer), secrets) };
}

/** True if one of `secrets` produced one of these signatures of the answer to this very request. */
export function isAnswerSignedWith(
  secrets: readonly string[],
  answer: Answer,
  signatures: readonly string[],
): boolean {
  return isSignatureOf(answerText(answer), secrets, signatures);
}

/** Equal for equal messages, whichever secret signs them. */
export function messageDigest(message: Message): string {
  return sha256(signedText(message));
}

function signaturesOf(text: string, secrets: readonly string[]): string {
  return joinSignatures(secrets.map((secret) => signature(text, secret).toString("hex")));
}

function isSignatureOf(text: string, secrets: readonly string[], signatures: readonly string[]): boolean {
  const given = signatures.map((hex) => Buffer.from(hex, "hex"));
  return secrets.some((secret) => {
    const expected = signature(text, secret);
    return given.some((bytes) => bytes.length === expected.length && timingSafeEqual(bytes, expected));
  });
}

function signature(text: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

function signedText(message: Message): string {
  return textToSign(withHash(message));
}

function answerText({ request, status, body }: Answer): string {
  return answerTextToSign({ request: withHash(request), status, bodySha256: sha256(body) });
}

function withHash({ body, ...rest }: Message): SignedMessage {
  return { ...rest, bodySha256: sha256(body) };
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
