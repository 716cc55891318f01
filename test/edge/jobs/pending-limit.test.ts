import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { answering, showNodes, showOf } from "../support/show-node.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";
const limit = (api: TestApi, pending: number | null) =>
  api.dependencies.database.run(
    sql`UPDATE account_counters SET pending_limit = ${pending} WHERE account_id = ${api.account.id}`,
  );
const post = (api: TestApi, headers = {}) => api.call("POST", "/jobs", { json: { url }, headers });
const bulk = (api: TestApi, jobs: number) =>
  api.call("POST", "/jobs/bulk", { json: { jobs: Array.from({ length: jobs }, () => ({ url })) } });
const postShow = (api: TestApi) =>
  api.call("POST", "/jobs", { json: { url: "https://podcasts.example/weekly" } });
const usageCount = async (api: TestApi) => (await api.call("GET", "/usage")).body.usage_count;

describe("an account with as many jobs waiting as it may have", () => {
  it("gets 429 for a job, a bulk and a retry, and nothing is created", async () => {
    const api = await createTestApi();
    await limit(api, 3);
    const { body: cancelled } = await post(api);
    await api.call("DELETE", `/jobs/${cancelled.job_id}`);
    expect((await bulk(api, 3)).status).toBe(200);
    const refused = [
      await post(api),
      await bulk(api, 1),
      await api.call("POST", `/jobs/${cancelled.job_id}/retry`),
    ];
    for (const { status, headers, body } of refused) {
      expect(status).toBe(429);
      expect(headers.get("retry-after")).toBe("60");
      expect(body).toMatchObject({ error: "Too many jobs waiting (max 3)", code: "too_many_pending" });
    }
    expect(await usageCount(api)).toBe(4);
  });

  it("may pass the limit with one request, and continues once one of its jobs no longer waits", async () => {
    const api = await createTestApi();
    await limit(api, 2);
    await post(api);
    const { body } = await bulk(api, 5);
    expect((await post(api)).status).toBe(429);
    for (const id of body.job_ids) await api.call("DELETE", `/jobs/${id}`);
    expect((await post(api)).status).toBe(200);
  });

  it("is told about a wrong field first", async () => {
    const api = await createTestApi();
    await limit(api, 1);
    await post(api);
    const { status, body } = await api.call("POST", "/jobs", { json: { url, format: "avi" } });
    expect({ status, code: body.code }).toEqual({ status: 400, code: "invalid_request" });
  });

  it("gets the response of a repeated request again", async () => {
    const api = await createTestApi();
    await limit(api, 1);
    const key = { "idempotency-key": "first" };
    const first = await post(api, key);
    const again = await post(api, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await post(api, { "idempotency-key": "second" })).status).toBe(429);
  });

  it("has none of its addresses looked at", async () => {
    const nodes = showNodes(answering(showOf(["One", "Two"])));
    const api = await createTestApi(nodes);
    await limit(api, 1);
    expect((await postShow(api)).status).toBe(200);
    expect((await postShow(api)).status).toBe(429);
    expect(nodes.asked).toHaveLength(1);
  });

  it("gets no show that was read while it filled up", async () => {
    const nodes = showNodes(async function* () {
      yield* showOf(["One", "Two"]).slice(0, -1);
      expect((await post(api)).status).toBe(200);
      yield* showOf(["One", "Two"]).slice(-1);
    });
    const api: TestApi = await createTestApi(nodes);
    await limit(api, 1);
    expect((await postShow(api)).status).toBe(429);
    expect(await usageCount(api)).toBe(1);
    const drafts = sql`SELECT 1 FROM show_drafts WHERE account_id = ${api.account.id}`;
    expect(await api.dependencies.database.all(drafts)).toEqual([]);
  });

  it("of simultaneous requests has no more accepted than there is room for", async () => {
    const api = await createTestApi();
    await limit(api, 3);
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => post(api)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(await usageCount(api)).toBe(3);
  });
});

it("an account without limits is never refused, and sees its limits with its usage", async () => {
  const api = await createTestApi();
  await limit(api, null);
  expect((await bulk(api, 100)).status).toBe(200);
  expect((await post(api)).status).toBe(200);
  expect((await api.call("GET", "/usage")).body.limits).toEqual({ running: null, pending: null });
});
