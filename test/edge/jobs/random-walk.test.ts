import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Report } from "../../../contracts/report.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { lastDays } from "../../../edge/statistics/days.ts";
import { brokenInvariants } from "../support/broken-invariants.ts";
import { facts, timings } from "../support/made-file.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";

interface Row {
  readonly id: string;
  readonly claim: number;
}

/** What can happen to a job, or because of it; `row`: as it was read a moment ago. */
const happenings = {
  cancelQueued: (api: TestApi, row: Row) => api.call("DELETE", `/jobs/${row.id}`),
  cancel: (api: TestApi, row: Row) => api.call("POST", `/jobs/${row.id}/cancel`),
  retry: (api: TestApi, row: Row) => api.call("POST", `/jobs/${row.id}/retry`),
  retryOnce: (api: TestApi, row: Row) =>
    api.call("POST", `/jobs/${row.id}/retry`, { headers: { "idempotency-key": row.id } }),
  claim: (api: TestApi) => claimJobs(api.dependencies, [{ nodeId: "node-a", slots: 3 }]),
  reserveKey: (api: TestApi, row: Row) =>
    report(api, row, {
      kind: "reserve_key",
      title: "same name",
      extension: "mp4",
      taken: null,
      sidecars: [],
    }),
  reserveKeys: (api: TestApi, row: Row) =>
    report(api, row, {
      kind: "reserve_key",
      title: "same name",
      extension: "mkv",
      taken: null,
      sidecars: ["en.vtt", "jpg"],
    }),
  reserveNext: (api: TestApi, row: Row) =>
    report(api, row, {
      kind: "reserve_key",
      title: "same name",
      extension: "mp4",
      taken: "same name.mp4",
      sidecars: ["jpg"],
    }),
  // A node asks to publish only if it has a key.
  publish: async (api: TestApi, row: Row) => {
    await happenings.reserveKey(api, row);
    await report(api, row, { kind: "publish", facts });
  },
  complete: (api: TestApi, row: Row) => report(api, row, { kind: "completed", timings }),
  finish: async (api: TestApi, row: Row) => {
    await happenings.publish(api, row);
    await happenings.complete(api, row);
  },
  fail: (api: TestApi, row: Row) => report(api, row, { kind: "failed", code: "internal", detail: null }),
  giveBack: (api: TestApi, row: Row) => report(api, row, { kind: "returned" }),
  lose: (api: TestApi, row: Row) =>
    applyChanges(api.dependencies, [
      { accountId: api.account.id, jobId: row.id, event: { type: "lose", claim: row.claim } },
    ]),
};
type Happening = keyof typeof happenings;

type Said = Report extends infer One
  ? One extends Report
    ? Omit<One, "account_id" | "job_id" | "claim">
    : never
  : never;

function report({ dependencies, account }: TestApi, { id, claim }: Row, said: Said) {
  if (claim === 0) return null;
  const whole: Report = { ...said, account_id: account.id, job_id: id, claim };
  return handleReports(dependencies, { node_id: "node-a", free_slots: 0, reports: [whole] });
}

const rowsOf = ({ dependencies, account }: TestApi) =>
  dependencies.database.all<Row>(
    sql`SELECT id, claim FROM jobs WHERE account_id = ${account.id} ORDER BY id`,
  );

const names = Object.keys(happenings).filter((name): name is Happening => name in happenings);
const anyHappening = fc.record({ name: fc.constantFrom(...names), job: fc.nat(1000) });
/** The events of a wave happen at once. */
const anyWalk = fc.array(fc.array(anyHappening, { minLength: 1, maxLength: 12 }), {
  minLength: 4,
  maxLength: 12,
});

it("however jobs are cancelled, retried and reported on at once, every counter stays exact", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyWalk, async (walk) => {
      const api = await createTestApi(quietCluster({ noteDead: async () => undefined }));
      const [firstDay = ""] = lastDays(api.clock.now, 7);
      await api.dependencies.database.run(sql`UPDATE jobs SET ready_at = NULL`);
      const jobs = [{ url }, { url }, { url }];
      await api.call("POST", "/jobs", { json: { url, webhook_url: "https://client.example/" } });
      const { body: bulk } = await api.call("POST", "/jobs/bulk", { json: { jobs } });
      for (const [index, wave] of walk.entries()) {
        const rows = await rowsOf(api);
        const doings: Promise<unknown>[] = wave.map(async ({ name, job }) => {
          const row = rows[job % rows.length];
          if (row !== undefined) await happenings[name](api, row);
        });
        if (index === walk.length - 1) doings.push(api.call("POST", `/batch/${bulk.batch_id}/cancel`));
        await Promise.all(doings);
        expect(await brokenInvariants(api.dependencies.database, firstDay, api.account.id)).toEqual([]);
      }
      for (const status of ["pending", "processing", "completed", "failed"]) {
        const { body } = await api.call("GET", `/jobs?limit=100&status=${status}`);
        expect(body.jobs).toHaveLength(body.total);
        if (body.total > 0) outcomes.add(status);
      }
    }),
    { numRuns: 15 },
  );
  expect(outcomes).toEqual(new Set(["pending", "processing", "completed", "failed"]));
}, 120_000);
