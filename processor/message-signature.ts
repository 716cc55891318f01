import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import {
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
    [signatureHeader]: joinSignatures(secrets.map((secret) => signature(message, secret).toString("hex"))),
  };
}

/** True if one of `secrets` produced one of these signatures of the message. The caller checks the age. */
export function isSignedWith(
  secrets: readonly string[],
  message: Message,
  signatures: readonly string[],
): boolean {
  const given = signatures.map((text) => Buffer.from(text, "hex"));
  return secrets.some((secret) => {
    const expected = signature(message, secret);
    return given.some((bytes) => bytes.length === expected.length && timingSafeEqual(bytes, expected));
  });
}

/** Equal for equal messages, whichever secret signs them. */
export function messageDigest(message: Message): string {
  return createHash("sha256").update(signedText(message)).digest("hex");
}

function signature(message: Message, secret: string): Buffer {
  return createHmac("sha256", secret).update(signedText(message)).digest();
}

function signedText({ body, ...rest }: Message): string {
  return textToSign({ ...rest, bodySha256: createHash("sha256").update(body).digest("hex") });
}
