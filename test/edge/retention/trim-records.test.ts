import { sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { beforeEach, describe, expect, it } from "vitest";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { firstIdAt } from "../../../edge/retention/first-id-at.ts";
import { findOldJobs, trimJobs } from "../../../edge/retention/trim-jobs.store.ts";
import { trimRecords } from "../../../edge/retention/trim-records.ts";
import { lastDays } from "../../../edge/statistics/days.ts";
import { deleteLeftFiles } from "../../../edge/storage/delete-left-files.ts";
import { transact } from "../../../edge/transact.ts";
import { claimEvents, recordTry } from "../../../edge/webhooks/webhook-event.store.ts";
import { brokenInvariants } from "../support/broken-invariants.ts";
import { countingDatabase } from "../support/database-cost.ts";
import { dyingDatabase } from "../support/dying-database.ts";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { idOfMany, insertManyJobs } from "../support/many-jobs.ts";
import { memoryStorage, type MemoryStorage } from "../support/memory-storage.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { emptyLine, makeShow } from "../support/show-batch.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const dayMs = 24 * 60 * 60_000;
const hour = 60 * 60_000;
const webhook_url = "https://client.example/hook";
const thumbnail = { kind: "thumbnail", language: null, storage_key: "Talk.jpg", bytes: 20 } as const;

let storage: MemoryStorage;
let api: TestApi;
let keeping: Dependencies;

/** A deployment that keeps records for ten days after their end. Ids follow the test's clock. */
beforeEach(async () => {
  storage = memoryStorage();
  api = await createTestApi({
    fetch: storage.fetch,
    ...quietCluster({ noteDead: async () => undefined }),
  });
  Object.assign(api.dependencies, { newId: () => uuidv7({ msecs: api.clock.now }) });
  await emptyLine(api.dependencies);
  await api.dependencies.database.run(sql`DELETE FROM left_files`);
  await api.dependencies.database.run(sql`UPDATE trimming SET account_id = '', through = '', next_at = 0`);
  keeping = { ...api.dependencies, settings: { ...api.dependencies.settings, retentionMs: 10 * dayMs } };
});

const rows = async (table: string) => {
  const [found] = await api.dependencies.database.all<{ rows: number }>(
    sql`SELECT count(*) AS rows FROM ${sql.identifier(table)} WHERE account_id = ${api.account.id}`,
  );
  return found?.rows;
};
const broken = () =>
  brokenInvariants(api.dependencies.database, lastDays(api.clock.now, 7)[0] ?? "", api.account.id);
const create = async (json: object = {}): Promise<string> =>
  (await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4", ...json } })).body.job_id;

/** Finishes every job that is due, with a file and a thumbnail, written to the storage as a node would. */
async function finishAll(): Promise<void> {
  for (const task of await claimAll(api.dependencies)) {
    const key = await finishTask(api.dependencies, task, { sidecars: [thumbnail] });
    const url = `${task.storage.endpoint}/${task.storage.bucket}/${key.object_key}`;
    storage.objects.set(url, "file");
    storage.writers.set(url, task.job_id);
  }
}
const fail = (jobId: string) =>
  applyChanges(api.dependencies, [
    { accountId: api.account.id, jobId, event: { type: "fail", claim: 1, code: "internal" } },
  ]);
async function deliverAll(): Promise<void> {
  const events = await api.dependencies.database.all<{ id: string }>(sql`SELECT id FROM webhook_events`);
  const ids = events.map(({ id }) => id);
  for (const event of await claimEvents(api.dependencies, ids)) {
    const made = { id: api.dependencies.newId(), startedAt: api.clock.now, httpStatus: 200, error: null };
    await recordTry(api.dependencies, event, { ...made, nextTryAt: null });
  }
}

/** Goes through all accounts once; returns the number of steps that it took. */
async function trimAll(dependencies = keeping): Promise<number> {
  for (let steps = 1; ; steps += 1) if (!(await trimRecords(dependencies)).moreToTrim) return steps;
}
const status = async (jobId: string) => (await api.call("GET", `/jobs/${jobId}`)).status;

describe("a deployment that keeps records for ten days", () => {
  it("deletes the records of older jobs, and still counts them", async () => {
    const completed = await create({ webhook_url });
    await finishAll();
    const failed = await create({ webhook_url });
    await claimAll(api.dependencies);
    await fail(failed);
    const cancelled = await create();
    await api.call("DELETE", `/jobs/${cancelled}`);
    const jobs = [{ url: "https://media.example/b.mp4" }];
    const { batch_id } = (await api.call("POST", "/jobs/bulk", { json: { jobs } })).body;
    await finishAll();
    await deliverAll();
    const waiting = await create();
    const usage = (await api.call("GET", "/usage")).body;

    api.clock.now += 10 * dayMs;
    await trimAll();
    expect(await rows("jobs")).toBe(5);
    api.clock.now += hour + 1;
    await trimAll();
    expect(await broken()).toEqual([]);
    expect(await Promise.all([completed, failed, cancelled, waiting].map(status))).toEqual([
      404, 404, 404, 200,
    ]);
    expect((await api.call("GET", `/batch/${batch_id}`)).status).toBe(404);
    expect((await api.call("GET", "/jobs")).body).toMatchObject({ total: 1 });
    expect((await api.call("GET", "/webhooks/deliveries")).body).toMatchObject({ total: 0, deliveries: [] });
    expect(await rows("webhook_events")).toBe(0);
    expect(await rows("batches")).toBe(0);
    expect((await api.call("GET", "/usage")).body).toEqual(usage);
    expect((await api.call("GET", "/dashboard/stats")).body).toMatchObject({
      total_jobs: 1,
      completed_jobs: 0,
      failed_jobs: 0,
      storage_used_bytes: 2040,
    });
  });

  it("deletes a file right after its record, in one visit, and frees its name", async () => {
    await create();
    await finishAll();
    storage.objects.set("https://storage.example/ferry-media/somebody-else", "file");
    api.clock.now += 11 * dayMs;
    await trimAll();
    const names = sql`SELECT name FROM reserved_keys WHERE name LIKE ${`${api.account.id}/%`}`;
    expect(await api.dependencies.database.all(names)).toEqual([]);
    const { moreLeft } = await deleteLeftFiles(api.dependencies, () => new AbortController().signal);
    expect(moreLeft).toBe(false);
    expect([...storage.objects.keys()]).toEqual(["https://storage.example/ferry-media/somebody-else"]);
    expect(await rows("left_files")).toBe(0);
  });

  it("deletes a hundred files with one request, and writes few rows for each", async () => {
    const { database, cost } = countingDatabase();
    await insertManyJobs(api.dependencies, api.account.id, { count: 400, prefix: "01900000-0004" });
    await database.run(sql`
      UPDATE jobs SET status = 'Completed', finished_at = 1, storage_location_id = (
        SELECT id FROM storage_locations WHERE account_id = '' AND bucket = 'ferry-media')
      WHERE account_id = ${api.account.id}`);
    await database.run(sql`
      INSERT INTO reserved_keys (location_id, name, job_id)
      SELECT storage_location_id, account_id || '/' || storage_key, id FROM jobs WHERE account_id = ${api.account.id}`);
    storage.requests.length = 0;
    const before = { ...cost };
    await trimRecords({ ...keeping, database });
    expect(await rows("left_files")).toBe(100);
    await deleteLeftFiles({ ...api.dependencies, database }, () => new AbortController().signal);
    expect(await rows("left_files")).toBe(0);
    expect(storage.requests).toEqual(["POST https://storage.example/ferry-media?delete="]);
    expect(Math.round((cost.rowsWritten - before.rowsWritten) / 100)).toBe(6);
  });

  it("keeps a record whose file is in the account's own bucket until the file is deleted", async () => {
    const bucket = { bucket: "my-media", access_key_id: "a", secret_access_key: "s" };
    await api.call("POST", "/user/bucket", { json: { endpoint: "https://s3.example", ...bucket } });
    const jobId = await create();
    await finishAll();
    api.clock.now += 11 * dayMs;
    await trimAll();
    expect((await api.call("GET", `/jobs/${jobId}`)).body).toMatchObject({ storage_key: "Talk.mp4" });
    await api.call("DELETE", `/jobs/${jobId}/file`);
    api.clock.now += hour;
    await trimAll();
    expect(await status(jobId)).toBe(404);
    expect(await broken()).toEqual([]);
  });

  it("keeps a job while its webhook is still to be retried", async () => {
    const jobId = await create({ webhook_url });
    await finishAll();
    await deliverAll();
    api.clock.now += 9 * dayMs;
    const { deliveries } = (await api.call("GET", "/webhooks/deliveries")).body;
    await api.call("POST", `/webhooks/deliveries/${deliveries[0].id}/redeliver`);
    api.clock.now += 2 * dayMs;
    await trimAll();
    expect(await status(jobId)).toBe(200);
    expect(await broken()).toEqual([]);
    await deliverAll();
    api.clock.now += hour;
    await trimAll();
    expect(await status(jobId)).toBe(404);
    expect((await api.call("GET", "/webhooks/deliveries")).body.total).toBe(1);
    expect(await broken()).toEqual([]);
  });

  it("keeps a show's jobs until all have ended, then deletes them step by step, and the batch with the last", async () => {
    const { batchId, ids } = await makeShow(api.dependencies, api.account.id, 150);
    for (const task of (await claimAll(api.dependencies)).slice(0, 20))
      await finishTask(api.dependencies, task, { title: task.job_id });
    api.clock.now += 11 * dayMs;
    await trimAll();
    expect(await rows("jobs")).toBe(150);

    await api.call("POST", `/batch/${batchId}/cancel`);
    api.clock.now += 11 * dayMs;
    expect((await trimRecords(keeping)).moreToTrim).toBe(true);
    expect(await rows("jobs")).toBe(50);
    expect(await broken()).toEqual([]);
    expect((await api.call("GET", `/batch/${batchId}`)).body).toMatchObject({
      status: "finished",
      completed_episodes: 20,
      failed_episodes: 130,
      episode_jobs: ids,
    });
    await trimAll();
    expect([await rows("jobs"), await rows("batches")]).toEqual([0, 0]);
    expect(await broken()).toEqual([]);
  });

  it("skips a job that changes while it is read, and deletes it in the next round", async () => {
    const deleted = await create();
    await finishAll();
    // Ids of the same millisecond are not ordered.
    api.clock.now += 1;
    const sentAgain = await create({ webhook_url });
    await claimAll(api.dependencies);
    await fail(sentAgain);
    await deliverAll();
    const { deliveries } = (await api.call("GET", "/webhooks/deliveries")).body;
    api.clock.now += 9 * dayMs;
    const before = { endedBefore: api.clock.now + dayMs, firstIdKept: firstIdAt(api.clock.now + dayMs) };
    const found = await findOldJobs(
      api.dependencies.database,
      { accountId: "", through: "", lastAccountId: "~", isLast: true },
      before,
    );
    expect(found.map(({ jobId, goes }) => [jobId, goes])).toEqual([
      [deleted, true],
      [sentAgain, true],
    ]);
    await api.call("DELETE", `/jobs/${deleted}/file`);
    await api.call("POST", `/webhooks/deliveries/${deliveries[0].id}/redeliver`);
    await transact(api.dependencies.database, trimJobs(found, { now: api.clock.now, token: "trimming" }));
    expect([await status(deleted), await status(sentAgain), await rows("left_files")]).toEqual([200, 200, 0]);
    expect(await broken()).toEqual([]);
    await deliverAll();
    api.clock.now += 2 * dayMs;
    await trimAll();
    expect(await rows("jobs")).toBe(0);
    expect(await broken()).toEqual([]);
  });

  it("deletes each record once if two sweeps run at the same time", async () => {
    for (let more = 0; more < 5; more += 1) await create({ webhook_url });
    await finishAll();
    await deliverAll();
    api.clock.now += 11 * dayMs;
    await Promise.all([trimAll(), trimAll(), trimAll()]);
    expect(await rows("jobs")).toBe(0);
    expect(await broken()).toEqual([]);
  });

  it.each(["before", "after"] as const)(
    "loses and counts nothing twice if it dies just %s any of its queries",
    async (when) => {
      const { database, dieAt, hasDied } = dyingDatabase();
      for (let query = 1; ; query += 1) {
        for (let more = 0; more < 3; more += 1) await create({ webhook_url });
        await finishAll();
        await deliverAll();
        api.clock.now += 11 * dayMs;
        dieAt(query, when);
        const outcome = await trimRecords({ ...keeping, database }).catch((error: unknown) => String(error));
        const died = hasDied();
        dieAt(Number.POSITIVE_INFINITY, when);
        if (died) expect(outcome).toBeTypeOf("string");
        expect(await broken()).toEqual([]);
        await trimAll();
        api.clock.now += hour;
        await trimAll();
        expect(await rows("jobs")).toBe(0);
        if (!died) break;
      }
      expect((await api.call("GET", "/usage")).body.usage_count).toBe(12);
    },
  );

  it("costs only the rows that it deletes, however many others there are", async () => {
    const { database, cost } = countingDatabase();
    await insertManyJobs(api.dependencies, api.account.id, { count: 2000, prefix: "01900000-0003" });
    await database.run(sql`
      UPDATE jobs SET status = 'Failed', finished_at = 1, storage_key = NULL
      WHERE account_id = ${api.account.id} AND id < ${idOfMany("01900000-0003", 401)}`);
    const before = { ...cost };
    await trimRecords({ ...keeping, database });
    expect(await rows("jobs")).toBe(1900);
    const per = (total: number) => Math.round(total / 100);
    expect({
      queries: cost.queries - before.queries,
      rowsRead: per(cost.rowsRead - before.rowsRead),
      rowsWritten: per(cost.rowsWritten - before.rowsWritten),
    }).toEqual({ queries: 3, rowsRead: 20, rowsWritten: 2 });
  });
});

it("a deployment that keeps everything reads nothing", async () => {
  const { database, cost } = countingDatabase();
  expect(await trimRecords({ ...api.dependencies, database })).toEqual({ moreToTrim: false });
  expect(cost.queries).toBe(0);
});
