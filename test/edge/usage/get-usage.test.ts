import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

it("a new account has used nothing", async () => {
  const api = await createTestApi();
  const { status, body } = await api.call("GET", "/usage");
  expect(status).toBe(200);
  expect(body).toEqual({
    client_name: api.account.name,
    usage_count: 0,
    storage_usage_gb: 0,
    limits: { running: null, pending: 100_000 },
  });
});

it("counts the account's own jobs, and bytes in units of 10^9", async () => {
  const api = await createTestApi();
  const other = await createTestApi();
  const json = { url: "https://media.example/a.mp4" };
  for (const { call } of [api, api, other]) await call("POST", "/jobs", { json });
  await api.dependencies.database.run(
    sql`UPDATE account_counters SET storage_bytes = 1234567890 WHERE account_id = ${api.account.id}`,
  );
  const { body } = await api.call("GET", "/usage");
  expect(body).toMatchObject({ usage_count: 2, storage_usage_gb: 1.23456789 });
});

describe("billing", () => {
  const hour = 60 * 60 * 1000;
  const enable = (api: TestApi, start: number) =>
    api.dependencies.database.run(
      sql`UPDATE accounts SET billing_start = ${start} WHERE id = ${api.account.id}`,
    );
  async function store(api: TestApi, bytes: number) {
    const { body } = await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } });
    const sidecars = [
      { kind: "thumbnail", language: null, storage_key: "Talk.jpg", bytes: 1_000_000 },
    ] as const;
    for (const task of await claimAll(api.dependencies)) {
      if (task.job_id === body.job_id) {
        await finishTask(api.dependencies, task, { bytes, sidecars: [...sidecars] });
      }
    }
  }
  const usage = async (api: TestApi) => (await api.call("GET", "/usage")).body;

  it("shows the current period, with only the bytes stored in it", async () => {
    const api = await createTestApi();
    const start = Date.UTC(2026, 0, 31, 13);
    api.clock.now = start + hour;
    await enable(api, start);
    expect(await usage(api)).toMatchObject({
      billing_period_start: start,
      billing_period_end: Date.UTC(2026, 1, 28, 13),
      current_period_usage_gb: 0,
    });

    await store(api, 2_000_000_000);
    await store(api, 3_000_000_000);
    expect(await usage(api)).toMatchObject({ storage_usage_gb: 5.002, current_period_usage_gb: 5.002 });

    api.clock.now = Date.UTC(2026, 1, 28, 13);
    expect(await usage(api)).toMatchObject({
      billing_period_start: api.clock.now,
      billing_period_end: Date.UTC(2026, 2, 31, 13),
      storage_usage_gb: 5.002,
      current_period_usage_gb: 0,
    });
    await store(api, 1_000_000_000);
    expect(await usage(api)).toMatchObject({ storage_usage_gb: 6.003, current_period_usage_gb: 1.001 });

    api.clock.now = Date.UTC(2027, 5, 1);
    expect((await usage(api)).current_period_usage_gb).toBe(0);
  });

  it("is not shown unless enabled", async () => {
    const api = await createTestApi();
    await store(api, 1_000_000_000);
    expect(Object.keys(await usage(api))).toEqual([
      "client_name",
      "usage_count",
      "storage_usage_gb",
      "limits",
    ]);
  });

  it("is each account's own", async () => {
    const [api, other] = [await createTestApi(), await createTestApi()];
    for (const { clock } of [api, other]) clock.now += hour;
    await enable(api, api.clock.now);
    await enable(other, api.clock.now);
    await store(api, 1_000_000_000);
    expect((await usage(other)).current_period_usage_gb).toBe(0);
  });
});
