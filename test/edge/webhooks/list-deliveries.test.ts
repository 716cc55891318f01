import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createTestAccount } from "../support/test-api.ts";
import { createWebhookTest, type WebhookTest } from "../support/test-webhooks.ts";

const unknownId = "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f";

/** Jobs that have ended and whose webhooks were delivered, oldest first. */
async function delivered(test: WebhookTest, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    test.clock.now += 1000;
    const id = await test.createJob();
    await test.apply(id, { type: "cancel_queued" });
    await test.deliver();
    ids.push(id);
  }
  return ids;
}
const jobsOf = ({ deliveries }: { deliveries: { job_id: string }[] }) =>
  deliveries.map(({ job_id }) => job_id);

describe("GET /webhooks/deliveries", () => {
  it("is empty at first", async () => {
    const test = await createWebhookTest();
    expect(await test.deliveries()).toEqual({ deliveries: [], total: 0, limit: 20, offset: 0 });
  });

  it("lists the newest first, page by page, with the total", async () => {
    const test = await createWebhookTest();
    const ids = (await delivered(test, 5)).toReversed();
    expect(jobsOf(await test.deliveries())).toEqual(ids);
    const page = await test.deliveries("?limit=2&offset=1");
    expect(jobsOf(page)).toEqual(ids.slice(1, 3));
    expect(page).toMatchObject({ total: 5, limit: 2, offset: 1 });
    expect(await test.deliveries("?limit=&offset=")).toMatchObject({ limit: 20, offset: 0 });
    expect(await test.deliveries("?offset=100&other=x")).toMatchObject({ deliveries: [], total: 5 });
  });

  it("filters by job or batch, in any letter case, and counts the matches", async () => {
    const test = await createWebhookTest();
    const [first = "", second = ""] = await delivered(test, 2);
    expect(jobsOf(await test.deliveries(`?job_id=${second.toUpperCase()}`))).toEqual([second]);
    expect(await test.deliveries(`?job_id=${first}`)).toMatchObject({ total: 1 });
    expect(await test.deliveries(`?batch_id=${unknownId}`)).toMatchObject({ deliveries: [], total: 0 });
    expect(await test.deliveries(`?job_id=${first}&batch_id=${unknownId}`)).toMatchObject({ total: 0 });
    expect(await test.deliveries("?job_id=&batch_id=")).toMatchObject({ total: 2 });
  });

  it("counts a filtered log up to a thousand", async () => {
    const test = await createWebhookTest();
    await test.dependencies.database.run(sql`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
      INSERT INTO webhook_deliveries (account_id, id, event_id, job_id, type, try, created_at)
      SELECT ${test.account.id}, printf('0197b1c2-7c1e-7a53-9f5e-%012d', n), ${unknownId}, ${unknownId}, 'job_failed', 1, 0
      FROM numbers`);
    expect(await test.deliveries(`?job_id=${unknownId}&limit=1`)).toMatchObject({ total: 1000 });
  });

  it.each([
    ["limit=0", "limit must be an integer from 1 to 100"],
    ["limit=101", "limit must be an integer from 1 to 100"],
    ["limit=1.5", "limit must be an integer from 1 to 100"],
    ["limit=x", "limit must be an integer from 1 to 100"],
    ["limit=1&limit=2", "limit must be an integer from 1 to 100"],
    ["offset=-1", "offset must be an integer from 0 to 1000000000"],
    ["offset=1e3", "offset must be an integer from 0 to 1000000000"],
    ["job_id=7", "Invalid job id"],
    ["batch_id=x", "Invalid batch id"],
    [`job_id=${unknownId}&job_id=${unknownId}`, "Invalid job id"],
  ])("rejects %s", async (query, error) => {
    const test = await createWebhookTest();
    const { status, body } = await test.call("GET", `/webhooks/deliveries?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error, code: "invalid_request" });
  });

  it("shows an account none of another account's deliveries", async () => {
    const test = await createWebhookTest();
    const [id = ""] = await delivered(test, 1);
    const headers = { "x-api-key": (await createTestAccount(test.dependencies)).key };
    for (const query of ["", `?job_id=${id}`]) {
      const { body } = await test.send("GET", `/webhooks/deliveries${query}`, { headers });
      expect(body).toMatchObject({ deliveries: [], total: 0 });
    }
    expect((await test.send("GET", "/webhooks/deliveries")).status).toBe(401);
  });
});

describe("POST /webhooks/deliveries/{id}/redeliver", () => {
  const redeliver = (test: WebhookTest, id: string) =>
    test.call("POST", `/webhooks/deliveries/${id}/redeliver`);

  it("resends the event under its id, with its own log entry", async () => {
    const test = await createWebhookTest();
    await delivered(test, 1);
    const { id } = (await test.deliveries()).deliveries[0];
    expect((await redeliver(test, id.toUpperCase())).body).toEqual({
      message: "Delivery queued",
      delivery_id: id,
    });
    await test.deliver();
    const [first, second, ...others] = test.received;
    expect(others).toEqual([]);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    expect((await test.deliveries()).deliveries).toMatchObject([
      { try: 1, http_status: 204 },
      { id, try: 1, http_status: 204 },
    ]);
  });

  it("restarts the retries, even of a delivery that has finally failed", async () => {
    const test = await createWebhookTest();
    test.answers.push(() => new Response(null, { status: 410 }));
    await delivered(test, 1);
    const { id } = (await test.deliveries()).deliveries[0];
    test.answers.push(() => new Response(null, { status: 500 }));
    await redeliver(test, id);
    await test.deliver();
    expect(await test.events()).toMatchObject([{ tries: 1, next_try_at: test.clock.now + 5000 }]);
    test.clock.now += 5000;
    await test.deliver();
    expect(await test.events()).toMatchObject([{ tries: 2, next_try_at: null }]);
  });

  it("is not undone by a try in flight", async () => {
    const test = await createWebhookTest();
    test.answers.push(() => new Response(null, { status: 500 }));
    await delivered(test, 1);
    const { id, event_id: eventId } = (await test.deliveries()).deliveries[0];
    test.clock.now += 5000;
    test.answers.push(async () => {
      await redeliver(test, id);
      return new Response(null, { status: 500 });
    });
    await test.consume([eventId]);
    expect(await test.events()).toMatchObject([{ tries: 0, next_try_at: test.clock.now }]);
    const { total, deliveries } = await test.deliveries();
    expect(total).toBe(2);
    expect(deliveries[0], "no retry follows it").toMatchObject({
      try: 2,
      http_status: 500,
      next_try_at: null,
    });
  });

  it("can be asked for once a minute, and says when to ask again", async () => {
    const test = await createWebhookTest();
    await delivered(test, 1);
    const { id } = (await test.deliveries()).deliveries[0];
    expect((await redeliver(test, id)).status).toBe(200);
    await test.deliver();
    test.clock.now += 15_500;
    const { status, headers, body } = await redeliver(test, id);
    expect([status, headers.get("retry-after"), body.code]).toEqual([429, "45", "resent_recently"]);
    await test.deliver();
    expect(test.received).toHaveLength(2);
    test.clock.now += 44_500;
    expect((await redeliver(test, id)).status).toBe(200);
  });

  it("is not lost with its message", async () => {
    const test = await createWebhookTest();
    await delivered(test, 1);
    await redeliver(test, (await test.deliveries()).deliveries[0].id);
    expect(await test.events()).toMatchObject([{ tries: 0, next_try_at: test.clock.now }]);
  });

  it("does not find another account's delivery, or one that does not exist", async () => {
    const test = await createWebhookTest();
    await delivered(test, 1);
    const { id } = (await test.deliveries()).deliveries[0];
    const headers = { "x-api-key": (await createTestAccount(test.dependencies)).key };
    const path = `/webhooks/deliveries/${id}/redeliver`;
    const notFound = { error: "Delivery not found", code: "delivery_not_found" };
    expect(await test.send("POST", path, { headers })).toMatchObject({ status: 404, body: notFound });
    expect(await redeliver(test, unknownId)).toMatchObject({ status: 404, body: notFound });
    expect(await test.events()).toMatchObject([{ tries: 1, next_try_at: null }]);
    expect(test.messages).toEqual([]);
    expect(await test.send("POST", path)).toMatchObject({ status: 401 });
    expect(await redeliver(test, "7")).toMatchObject({ status: 400, body: { error: "Invalid delivery id" } });
  });
});
