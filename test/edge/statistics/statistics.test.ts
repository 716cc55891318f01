import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastDays } from "../../../edge/statistics/days.ts";
import { deleteOldDays } from "../../../edge/statistics/statistics.store.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";

const insertDay = ({ dependencies, account }: TestApi, day: string, completed: number, failed: number) =>
  dependencies.database.run(sql`
    INSERT INTO day_counts (account_id, day, completed, failed)
    VALUES (${account.id}, ${day}, ${completed}, ${failed})`);

describe("GET /dashboard/stats", () => {
  it("counts the account's jobs by status, and its bytes", async () => {
    const api = await createTestApi();
    const other = await createTestApi();
    for (const { call } of [api, api, api, other]) await call("POST", "/jobs", { json: { url } });
    const { body } = await api.call("GET", "/jobs");
    await api.call("DELETE", `/jobs/${body.jobs[0].id}`);
    await api.dependencies.database.run(
      sql`UPDATE account_counters SET storage_bytes = 1234567890 WHERE account_id = ${api.account.id}`,
    );
    expect((await api.call("GET", "/dashboard/stats")).body).toEqual({
      total_jobs: 3,
      pending_jobs: 2,
      processing_jobs: 0,
      completed_jobs: 0,
      failed_jobs: 1,
      storage_used_bytes: 1234567890,
      storage_used_gb: 1.23456789,
      client_name: api.account.name,
    });
  });
});

describe("GET /dashboard/daily", () => {
  it("returns the last 7 UTC days, oldest first, with zeros for days without jobs", async () => {
    const api = await createTestApi();
    const other = await createTestApi();
    await insertDay(api, "2026-01-24", 9, 9);
    await insertDay(api, "2026-01-25", 1, 2);
    await insertDay(api, "2026-01-31", 3, 0);
    await insertDay(other, "2026-01-30", 5, 5);
    const { body } = await api.call("GET", "/dashboard/daily");
    expect(body).toEqual({
      daily_stats: [
        { date: "2026-01-25", completed: 1, failed: 2 },
        { date: "2026-01-26", completed: 0, failed: 0 },
        { date: "2026-01-27", completed: 0, failed: 0 },
        { date: "2026-01-28", completed: 0, failed: 0 },
        { date: "2026-01-29", completed: 0, failed: 0 },
        { date: "2026-01-30", completed: 0, failed: 0 },
        { date: "2026-01-31", completed: 3, failed: 0 },
      ],
    });
    api.clock.now += 12 * 60 * 60 * 1000;
    const next = await api.call("GET", "/dashboard/daily");
    expect(next.body.daily_stats[0].date).toBe("2026-01-26");
    expect(next.body.daily_stats[6]).toEqual({ date: "2026-02-01", completed: 0, failed: 0 });
  });

  it("keeps 8 days and deletes earlier ones", async () => {
    const api = await createTestApi();
    for (const day of ["2025-12-31", "2026-01-23", "2026-01-24", "2026-01-31"])
      await insertDay(api, day, 1, 1);
    await deleteOldDays(api.dependencies);
    const rows = await api.dependencies.database.all<{ day: string }>(
      sql`SELECT day FROM day_counts WHERE account_id = ${api.account.id} ORDER BY day`,
    );
    expect(rows.map(({ day }) => day)).toEqual(["2026-01-24", "2026-01-31"]);
  });
});

describe("the last days", () => {
  it("are consecutive and end with today, at any time of any day", () => {
    const anyTime = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 1, max: 400 }), (now, count) => {
        const days = lastDays(now, count);
        const times = days.map((day) => Date.parse(`${day}T00:00:00Z`));
        expect(days).toHaveLength(count);
        expect(now - (times.at(-1) ?? 0)).toBeGreaterThanOrEqual(0);
        expect(now - (times.at(-1) ?? 0)).toBeLessThan(86_400_000);
        for (let n = 1; n < count; n += 1) expect((times[n] ?? 0) - (times[n - 1] ?? 0)).toBe(86_400_000);
      }),
    );
  });
});
