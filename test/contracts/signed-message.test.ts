import * as fc from "fast-check";
import { expect, test } from "vitest";
import { signatureWindowMs } from "../../contracts/limits.ts";
import { readSignedHeaders, signatureHeader, timestampHeader } from "../../contracts/signed-message.ts";

const now = 1_800_000_000_000;
const signature = "ab".repeat(32);

function read(timestamp: string | undefined, signatures: string | undefined) {
  const headers: Record<string, string | undefined> = {
    [timestampHeader]: timestamp,
    [signatureHeader]: signatures,
  };
  return readSignedHeaders((name) => headers[name], now);
}

test("headers within the time window give the time and the signatures", () => {
  const other = "01".repeat(32);
  for (const ahead of [-signatureWindowMs, 0, signatureWindowMs]) {
    const timestampMs = now + ahead;
    expect(read(String(timestampMs), `${signature},${other}`)).toEqual({
      timestampMs,
      signatures: [signature, other],
    });
  }
});

test("signatures beyond the number of secrets a side can have are ignored", () => {
  const many = [signature, signature, "01".repeat(32)].join(",");
  expect(read(String(now), many)?.signatures).toEqual([signature, signature]);
});

test.each([
  ["no time", undefined, signature],
  ["an empty time", "", signature],
  ["a time that is none", "now", signature],
  ["a time before the window", String(now - signatureWindowMs - 1), signature],
  ["a time after the window", String(now + signatureWindowMs + 1), signature],
  ["no signature", String(now), undefined],
  ["an empty signature", String(now), ""],
  ["a signature in capitals", String(now), signature.toUpperCase()],
  ["a short signature", String(now), signature.slice(1)],
  ["a long signature", String(now), `${signature}a`],
])("headers with %s are rejected", (_what, timestamp, signatures) => {
  expect(read(timestamp, signatures)).toBeNull();
});

test("only well-formed signatures are read from arbitrary headers", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (timestamp, signatures) => {
      for (const one of read(timestamp, signatures)?.signatures ?? []) expect(one).toMatch(/^[0-9a-f]{64}$/);
    }),
  );
});
