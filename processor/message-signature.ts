import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import {
  signatureHeader,
  textToSign,
  timestampHeader,
  type SignedMessage,
} from "../contracts/signed-message.ts";

/** What is signed, with the body's bytes in place of their hash. */
export type Message = Omit<SignedMessage, "bodySha256"> & { readonly body: Uint8Array };

/** The two headers that prove a message to the other side. */
export function signatureHeaders(message: Message, secret: string): Record<string, string> {
  return {
    [timestampHeader]: String(message.timestampMs),
    [signatureHeader]: signature(message, secret).toString("hex"),
  };
}

/** True when one of `secrets` made this signature (hex) of the message. Its age is the caller's to judge. */
export function isSignedWith(secrets: readonly string[], message: Message, given: string): boolean {
  const bytes = Buffer.from(given, "hex");
  return secrets.some((secret) => {
    const expected = signature(message, secret);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

function signature({ body, ...rest }: Message, secret: string): Buffer {
  const bodySha256 = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", secret)
    .update(textToSign({ ...rest, bodySha256 }))
    .digest();
}
