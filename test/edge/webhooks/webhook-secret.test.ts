import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { CannotDecrypt } from "../../../edge/encryption/encrypt.ts";
import { webhookSecret } from "../../../edge/webhooks/webhook-secret.store.ts";
import { createTestAccount } from "../support/test-api.ts";
import { createWebhookTest, type WebhookTest } from "../support/test-webhooks.ts";

const day = 24 * 60 * 60 * 1000;

const rotate = async ({ call }: WebhookTest) => (await call("POST", "/user/webhook-secret/rotate")).body;

/** Which of the secrets verify the signature of a webhook sent now. */
async function signersNow(test: WebhookTest, secrets: readonly string[]): Promise<boolean[]> {
  await test.apply(await test.createJob(), { type: "cancel_queued" });
  await test.deliver();
  const request = test.received.at(-1);
  return secrets.map((secret) => {
    try {
      test.verify(request, secret);
      return true;
    } catch {
      return false;
    }
  });
}

it("an account has one secret, the same on every request, and no other account has it", async () => {
  const test = await createWebhookTest();
  const secret = await test.secret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await test.secret()).toBe(secret);
  const other = await createTestAccount(test.dependencies);
  const { body } = await test.send("GET", "/user/webhook-secret", { headers: { "x-api-key": other.key } });
  expect(body.secret).not.toBe(secret);
});

it("simultaneous first requests get the same secret", async () => {
  const test = await createWebhookTest();
  expect(new Set(await Promise.all([test.secret(), test.secret(), test.secret()])).size).toBe(1);
});

it("a webhook sent before the first request for the secret is signed with that secret", async () => {
  const test = await createWebhookTest();
  await test.apply(await test.createJob(), { type: "cancel_queued" });
  await test.deliver();
  expect(test.verify(test.received[0], await test.secret())).toMatchObject({ type: "job_failed" });
});

it("after a rotation both secrets sign for 24 hours, then only the new one", async () => {
  const test = await createWebhookTest();
  const first = await test.secret();
  const { secret: second, previous_valid_until: until } = await rotate(test);
  expect(until).toBe(test.clock.now + day);
  expect(second).not.toBe(first);
  expect(await test.secret()).toBe(second);
  expect(await signersNow(test, [first, second])).toEqual([true, true]);
  test.clock.now = until - 1;
  expect(await signersNow(test, [first, second])).toEqual([true, true]);
  test.clock.now = until;
  expect(await signersNow(test, [first, second])).toEqual([false, true]);
});

it("each previous secret signs for its own 24 hours, however often the secret is rotated", async () => {
  const test = await createWebhookTest();
  const first = await test.secret();
  const { secret: second, previous_valid_until: untilFirst } = await rotate(test);
  test.clock.now += day / 2;
  const { secret: third, previous_valid_until: untilSecond } = await rotate(test);
  expect(await signersNow(test, [first, second, third])).toEqual([true, true, true]);
  test.clock.now = untilFirst;
  expect(await signersNow(test, [first, second, third])).toEqual([false, true, true]);
  test.clock.now = untilSecond;
  expect(await signersNow(test, [first, second, third])).toEqual([false, false, true]);
});

it("after simultaneous rotations every secret but the newest is a previous one", async () => {
  const test = await createWebhookTest();
  const first = await test.secret();
  const rotated = await Promise.all([rotate(test), rotate(test), rotate(test)]);
  const all = [first, ...rotated.map(({ secret }) => secret)];
  expect(await signersNow(test, all)).toEqual([true, true, true, true]);
});

it("after very many rotations the ten newest previous secrets sign", async () => {
  const test = await createWebhookTest();
  const secrets = [await test.secret()];
  for (let more = 0; more < 11; more += 1) secrets.push((await rotate(test)).secret);
  expect(await signersNow(test, secrets)).toEqual(secrets.map((_, index) => index > 0));
});

it("a rotation before the first request for the secret gives a valid pair", async () => {
  const test = await createWebhookTest();
  const { secret } = await rotate(test);
  expect(await signersNow(test, [secret])).toEqual([true]);
  expect(test.received[0]?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
});

it("a rotation may have no body, and requires a key", async () => {
  const test = await createWebhookTest();
  expect((await test.call("POST", "/user/webhook-secret/rotate", { json: {} })).status).toBe(200);
  expect((await test.send("POST", "/user/webhook-secret/rotate")).status).toBe(401);
  expect((await test.send("GET", "/user/webhook-secret")).status).toBe(401);
});

it("the stored secret is encrypted, and bound to its account", async () => {
  const test = await createWebhookTest();
  const secret = await test.secret();
  const [row] = await test.dependencies.database.all<{ webhook_secret: string }>(
    sql`SELECT webhook_secret FROM accounts WHERE id = ${test.account.id}`,
  );
  expect(row?.webhook_secret).toMatch(/^v1\./);
  expect(row?.webhook_secret).not.toContain(secret.slice("whsec_".length));
  const other = await createTestAccount(test.dependencies);
  await test.dependencies.database.run(
    sql`UPDATE accounts SET webhook_secret = ${row?.webhook_secret} WHERE id = ${other.id}`,
  );
  await expect(webhookSecret(test.dependencies, other.id)).rejects.toThrow(CannotDecrypt);
});
