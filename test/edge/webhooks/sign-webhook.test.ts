import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { webhookHeaders, webhookKeyBytes, webhookSecretOf } from "../../../edge/webhooks/sign-webhook.ts";

const bytes = fc.uint8Array({ minLength: webhookKeyBytes, maxLength: webhookKeyBytes });
const anyText = fc.string({ unit: "binary" });
const newSecret = () => webhookSecretOf(crypto.getRandomValues(new Uint8Array(webhookKeyBytes)));

it("an independent implementation accepts every signature, of any secret and body", async () => {
  await fc.assert(
    fc.asyncProperty(bytes, fc.uuid(), anyText, async (key, id, text) => {
      const secret = webhookSecretOf(key);
      const body = JSON.stringify({ text });
      const headers = await webhookHeaders({ id, body }, [secret], Date.now());
      expect(new Webhook(secret).verify(body, headers)).toEqual({ text });
    }),
  );
});

it("each of two secrets verifies by itself, and a third does not", async () => {
  const [first, second, other] = [newSecret(), newSecret(), newSecret()];
  const headers = await webhookHeaders({ id: "event", body: "{}" }, [first, second], Date.now());
  expect(headers["webhook-signature"]).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  expect(new Webhook(first).verify("{}", headers)).toEqual({});
  expect(new Webhook(second).verify("{}", headers)).toEqual({});
  expect(() => new Webhook(other).verify("{}", headers)).toThrow("No matching signature found");
});

it("the id, the time in seconds and the body are signed: if one changes, the signature does not verify", async () => {
  const secret = newSecret();
  const now = Date.now();
  const headers = await webhookHeaders({ id: "event", body: "{}" }, [secret], now);
  expect(headers["webhook-timestamp"]).toBe(String(Math.floor(now / 1000)));
  const receiver = new Webhook(secret);
  expect(() => receiver.verify("{ }", headers)).toThrow("No matching signature found");
  expect(() => receiver.verify("{}", { ...headers, "webhook-id": "other" })).toThrow(
    "No matching signature found",
  );
  const earlier = String(Math.floor(now / 1000) - 1);
  expect(() => receiver.verify("{}", { ...headers, "webhook-timestamp": earlier })).toThrow(
    "No matching signature found",
  );
});
