import { expect, test } from "vitest";
import {
  readSignedHeaders,
  signatureHeader,
  textToSign,
  timestampHeader,
} from "../../../contracts/signed-message.ts";
import { isSignedByNode, signRequest } from "../../../edge/processor/signature.ts";
import { sha256Hex, toHex } from "../../../edge/sha256-hex.ts";

const now = Date.UTC(2026, 0, 31, 12);
const path = "/internal/reports";
const encoder = new TextEncoder();

async function hmac(secret: string, direction: "edge-to-node" | "node-to-edge"): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const bodySha256 = await sha256Hex("{}");
  const text = textToSign({ direction, method: "POST", path, timestampMs: now, bodySha256 });
  return toHex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

async function isTaken(secrets: string[], signedWith: string[]): Promise<boolean> {
  const signatures = await Promise.all(signedWith.map((secret) => hmac(secret, "node-to-edge")));
  const headers = new Headers({
    [timestampHeader]: String(now),
    [signatureHeader]: signatures.join(","),
  });
  const signed = readSignedHeaders((name) => headers.get(name) ?? undefined, now);
  if (signed === null) return false;
  return isSignedByNode({ method: "POST", path, signed, body: encoder.encode("{}") }, secrets);
}

test("the edge signs with each of its secrets, newest first", async () => {
  const request = { method: "POST", path, body: "{}", clock: () => now };
  const { headers: both } = await signRequest({ ...request, secrets: ["new", "old"] });
  expect(both[signatureHeader]).toBe(
    `${await hmac("new", "edge-to-node")},${await hmac("old", "edge-to-node")}`,
  );
  const { headers: single } = await signRequest({ ...request, secrets: ["new"] });
  expect(single[signatureHeader]).toBe(await hmac("new", "edge-to-node"));
});

test("a rotation may start at either side, and the old secret is rejected once it is over", async () => {
  expect(await isTaken(["new", "old"], ["old"])).toBe(true);
  expect(await isTaken(["new", "old"], ["new", "old"])).toBe(true);
  expect(await isTaken(["old"], ["new", "old"])).toBe(true);
  expect(await isTaken(["new"], ["new", "old"])).toBe(true);
  expect(await isTaken(["new"], ["old"])).toBe(false);
  expect(await isTaken(["third"], ["first", "second", "third"])).toBe(false);
  expect(await isTaken(["new"], [])).toBe(false);
});
