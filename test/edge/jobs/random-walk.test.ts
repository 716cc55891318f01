import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Report } from "../../../contracts/report.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { applyChanges } from "../../../edge/jobs/job-transitions.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { keysOfFile } from "../../../edge/storage/reserved-names.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { countedFromRows, countersOf } from "../support/test-account.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";
const facts = {
  file_size: 1000,
  media: {
    container: "mp4",
    duration_seconds: 5,
    width: 320,
    height: 240,
    video_codec: "h264",
    audio_codec: "aac",
    bitrate_bps: 1600,
  },
  sidecars: [],
  preferred_subtitle: null,
};
const timings = { download_ms: 1, mux_ms: 2, upload_ms: 3 };

interface Row {
  readonly id: string;
  readonly claim: number;
}

/** What can happen to a job, or because of it; `row`: as somebody saw it a moment ago. */
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
  publish: (api: TestApi, row: Row) => report(api, row, { kind: "publish", facts }),
  complete: (api: TestApi, row: Row) => report(api, row, { kind: "completed", timings }),
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

/** Whatever has happened: what is kept says what the rows say. */
async function expectExact({ dependencies, account }: TestApi): Promise<void> {
  const { database } = dependencies;
  const one = async (query: ReturnType<typeof sql>) => (await database.all<Record<string, number>>(query))[0];
  expect(await countersOf(dependencies, account.id)).toEqual(await countedFromRows(dependencies, account.id));
  const ofDays = await one(sql`
    SELECT coalesce(sum(completed), 0) AS completed, coalesce(sum(failed), 0) AS failed FROM day_counts
    WHERE account_id = ${account.id}`);
  const ofEnds = await one(sql`
    SELECT coalesce(sum(status = 'Completed'), 0) AS completed,
      coalesce(sum(status = 'Failed' AND error_code <> 'cancelled'), 0) AS failed
    FROM jobs WHERE account_id = ${account.id}`);
  expect(ofDays).toEqual(ofEnds);
  const wrongBatches = await database.all(sql`
    SELECT batches.id FROM batches
    JOIN (
      SELECT batch_id, count(*) AS total, sum(status = 'Completed') AS completed, sum(status = 'Failed') AS failed
      FROM jobs WHERE account_id = ${account.id} GROUP BY batch_id
    ) AS counted ON counted.batch_id = batches.id
    WHERE batches.total <> counted.total OR batches.completed <> counted.completed
      OR batches.failed <> counted.failed OR batches.status <> CASE
        WHEN counted.completed + counted.failed < counted.total THEN 'processing'
        WHEN counted.failed > 0 THEN 'finished' ELSE 'completed' END`);
  expect(wrongBatches).toEqual([]);
  const events = await one(sql`SELECT count(*) AS n FROM webhook_events WHERE account_id = ${account.id}`);
  const owed = await one(sql`
    SELECT count(*) AS n FROM jobs
    WHERE account_id = ${account.id} AND webhook_url IS NOT NULL AND status IN ('Completed', 'Failed')`);
  expect(events).toEqual(owed);
  const withFiles = await database.all<{ storage_key: string; sidecar_suffixes: string | null }>(sql`
    SELECT storage_key, sidecar_suffixes FROM jobs
    WHERE account_id = ${account.id} AND status <> 'Failed' AND storage_key IS NOT NULL`);
  const keys = withFiles.flatMap((row) =>
    keysOfFile(row.storage_key, JSON.parse(row.sidecar_suffixes ?? "[]")),
  );
  expect(new Set(keys).size).toBe(keys.length);
  const held = await database.all<{ name: string }>(sql`
    SELECT name FROM reserved_keys WHERE name LIKE ${`${account.id}/%`} AND freed_at IS NULL`);
  expect(held.map(({ name }) => name)).toEqual(
    expect.arrayContaining(keys.map((key) => `${account.id}/${key}`)),
  );
}

const names = Object.keys(happenings).filter((name): name is Happening => name in happenings);
const anyHappening = fc.record({ name: fc.constantFrom(...names), job: fc.nat(1000) });
/** Each wave happens at once. */
const anyWalk = fc.array(fc.array(anyHappening, { minLength: 1, maxLength: 12 }), {
  minLength: 4,
  maxLength: 12,
});

it("however jobs are cancelled, retried and reported on at once, every counter stays exact", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyWalk, async (walk) => {
      const api = await createTestApi(quietCluster({ noteDead: async () => undefined }));
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
        await expectExact(api);
      }
      for (const status of ["pending", "processing", "completed", "failed"]) {
        const { body } = await api.call("GET", `/jobs?limit=100&status=${status}`);
        expect(body.jobs).toHaveLength(body.total);
        if (body.total > 0) outcomes.add(status);
      }
    }),
    { numRuns: 40 },
  );
  expect(outcomes).toEqual(new Set(["pending", "processing", "completed", "failed"]));
}, 120_000);
