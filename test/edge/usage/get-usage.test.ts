import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createTestApi } from "../support/test-api.ts";

it("a new account has used nothing", async () => {
  const api = await createTestApi();
  const { status, body } = await api.call("GET", "/usage");
  expect(status).toBe(200);
  expect(body).toEqual({ client_name: api.account.name, usage_count: 0, storage_usage_gb: 0 });
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
