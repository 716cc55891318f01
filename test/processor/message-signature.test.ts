import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readSignedHeaders } from "../../contracts/signed-message.ts";
import { isSignedWith, signatureHeaders, type Message } from "../../processor/message-signature.ts";
import { sign } from "./fake-edge.ts";

const message = fc.record({
  direction: fc.constantFrom("edge-to-node" as const, "node-to-edge" as const),
  method: fc.constantFrom("GET", "POST"),
  path: fc.webPath(),
  timestampMs: fc.nat(),
  body: fc.uint8Array(),
});
/** The headers as read by the other side. */
function given(signed: Message, ...secrets: string[]): readonly string[] {
  const headers = signatureHeaders(signed, secrets);
  return readSignedHeaders((name) => headers[name], signed.timestampMs)?.signatures ?? [];
}

test("a signature is valid for its message under its secret, alone or among others", () => {
  fc.assert(
    fc.property(message, fc.string({ minLength: 1 }), (signed, secret) => {
      expect(isSignedWith(["another", secret], signed, given(signed, secret))).toBe(true);
    }),
  );
});

test("a message signed with two secrets is valid if either is known, and nowhere else", () => {
  fc.assert(
    fc.property(message, (signed) => {
      const signatures = given(signed, "new", "old");
      for (const secrets of [["new"], ["old"], ["new", "old"], ["old", "newer"]])
        expect(isSignedWith(secrets, signed, signatures)).toBe(true);
      expect(isSignedWith(["another"], signed, signatures)).toBe(false);
      expect(isSignedWith(["old"], signed, given(signed, "new"))).toBe(false);
    }),
  );
});

test("signatures beyond the second are ignored", () => {
  const signed = {
    direction: "node-to-edge",
    method: "POST",
    path: "/",
    timestampMs: 5,
    body: Buffer.of(),
  } as const;
  expect(isSignedWith(["third"], signed, given(signed, "first", "second", "third"))).toBe(false);
});

test("a signature is not valid for any other message", () => {
  fc.assert(
    fc.property(message, message, (signed, other) => {
      fc.pre(JSON.stringify(signed) !== JSON.stringify(other));
      expect(isSignedWith(["secret"], other, given(signed, "secret"))).toBe(false);
    }),
  );
});

test("anything else than a signature is rejected", () => {
  fc.assert(
    fc.property(message, fc.string(), (signed, text) => {
      expect(isSignedWith(["secret"], signed, [text])).toBe(false);
    }),
  );
});

test("the signature is the one that the contract describes", () => {
  const body = Buffer.from("{}");
  const signed = { direction: "node-to-edge", method: "POST", path: "/x?y=1", timestampMs: 5, body } as const;
  expect(given(signed, "secret")).toEqual([sign("node-to-edge", "/x?y=1", 5, "{}", "secret")]);
});
