import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import {
  joinSignatures,
  signatureHeader,
  splitSignatures,
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

/** True if one of `secrets` produced a signature of the message in this header. The caller checks the age. */
export function isSignedWith(secrets: readonly string[], message: Message, header: string): boolean {
  const given = splitSignatures(header).map((text) => Buffer.from(text, "hex"));
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
