import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { ClaimedJob } from "../../../contracts/task.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { facts, timings } from "../support/made-file.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { countedFromRows, countersOf } from "../support/test-account.ts";
import { createTestAccount, createTestApi, type TestApi } from "../support/test-api.ts";

async function setUp(jobs: number) {
  const told: ClaimedJob[] = [];
  const noteDead = async (claims: readonly ClaimedJob[]) => void told.push(...claims);
  const api = await createTestApi(quietCluster({ noteDead }));
  await api.dependencies.database.run(sql`UPDATE jobs SET ready_at = NULL`);
  const items = Array.from({ length: jobs }, (_, n) => ({ url: `https://media.example/${n}` }));
  const { body } = await api.call("POST", "/jobs/bulk", { json: { jobs: items } });
  const ids: string[] = body.job_ids;
  const batchId: string = body.batch_id;
  const change = (n: number, event: Parameters<typeof applyChanges>[1][0]["event"], more = {}) =>
    applyChanges(api.dependencies, [{ accountId: api.account.id, jobId: ids[n] ?? "", event, ...more }]);
  return {
    api,
    ids,
    batchId,
    told,
    change,
    claim: (slots: number) => claimJobs(api.dependencies, [{ nodeId: "node-a", slots }]),
    publish: async (n: number) => {
      await api.dependencies.database.run(
        sql`UPDATE jobs SET storage_key = ${`${n}.mp4`} WHERE id = ${ids[n] ?? ""}`,
      );
      await change(n, { type: "publish", claim: 1 }, { facts });
    },
    complete: (n: number) => change(n, { type: "complete", claim: 1 }, { timings }),
    read: async () => (await api.call("GET", `/batch/${batchId}`)).body,
  };
}

/** Creates a batch as for a show. */
async function insertShow({ dependencies, account }: TestApi, title: string): Promise<string> {
  const id = dependencies.newId();
  await dependencies.database.run(sql`
    INSERT INTO batches (account_id, id, show_url, folder, webhook_url, status, total, created_at)
    VALUES (${account.id}, ${id}, ${`https://podcasts.example/${title}`}, ${title}, NULL, 'processing', 3, 1)`);
  return id;
}

describe("GET /batch/{id}", () => {
  test("counts the jobs that have ended, and is completed once all have and none has failed", async () => {
    const it = await setUp(2);
    await it.claim(2);
    await it.publish(0);
    await it.complete(0);
    expect(await it.read()).toMatchObject({
      status: "processing",
      completed_episodes: 1,
      failed_episodes: 0,
    });
    await it.publish(1);
    await it.complete(1);
    expect(await it.read()).toEqual({
      id: it.batchId,
      show_url: null,
      folder: "",
      status: "completed",
      total_episodes: 2,
      completed_episodes: 2,
      failed_episodes: 0,
      episode_jobs: it.ids,
    });
  });

  test("is finished once all have ended and any has failed or was cancelled", async () => {
    const it = await setUp(2);
    await it.claim(1);
    await it.publish(0);
    await it.complete(0);
    await it.api.call("DELETE", `/jobs/${it.ids[1]}`);
    expect(await it.read()).toMatchObject({ status: "finished", completed_episodes: 1, failed_episodes: 1 });
  });

  test("accepts an id in any letter case, and rejects an invalid one", async () => {
    const { api, batchId } = await setUp(1);
    expect((await api.call("GET", `/batch/${batchId.toUpperCase()}`)).body.id).toBe(batchId);
    const { status, body } = await api.call("GET", "/batch/1");
    expect([status, body.error]).toEqual([400, "Invalid batch id"]);
  });
});

describe("POST /batch/{id}/cancel", () => {
  test("ends every unfinished job, and notifies the nodes of those in progress", async () => {
    const it = await setUp(5);
    await it.claim(3);
    await it.publish(0);
    await it.complete(0);
    await it.publish(1);
    const { status, body } = await it.api.call("POST", `/batch/${it.batchId.toUpperCase()}/cancel`);
    expect([status, body]).toEqual([200, { message: "Batch cancelled", batch_id: it.batchId, cancelled: 3 }]);
    expect(it.told).toEqual([{ account_id: it.api.account.id, job_id: it.ids[2], claim: 1 }]);
    expect(await it.read()).toMatchObject({
      status: "processing",
      completed_episodes: 1,
      failed_episodes: 3,
    });
    await it.complete(1);
    expect(await it.read()).toMatchObject({ status: "finished", completed_episodes: 2, failed_episodes: 3 });
    expect(await countersOf(it.api.dependencies, it.api.account.id)).toEqual(
      await countedFromRows(it.api.dependencies, it.api.account.id),
    );
  });

  test("may be repeated, even at once, and sends the batch's webhook once", async () => {
    const it = await setUp(30);
    await it.api.dependencies.database.run(
      sql`UPDATE batches SET webhook_url = 'https://client.example/' WHERE id = ${it.batchId}`,
    );
    const cancel = async () => (await it.api.call("POST", `/batch/${it.batchId}/cancel`)).body.cancelled;
    const counts = await Promise.all([cancel(), cancel(), cancel()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(await cancel()).toBe(0);
    expect(await it.read()).toMatchObject({ status: "finished", failed_episodes: 30 });
    const events = await it.api.dependencies.database.all(
      sql`SELECT type FROM webhook_events WHERE account_id = ${it.api.account.id}`,
    );
    expect(events).toEqual([{ type: "batch_completed" }]);
  });
});

describe.each([
  ["GET", ""],
  ["POST", "/cancel"],
])("%s /batch/{id}%s", (method, suffix) => {
  test("gives the same response for another account's batch as for a missing one", async () => {
    const { api, batchId, read } = await setUp(1);
    const other = await createTestAccount(api.dependencies);
    const headers = { "x-api-key": other.key };
    const theirs = await api.send(method, `/batch/${batchId}${suffix}`, { headers });
    const none = await api.call(method, `/batch/00000000-0000-0000-0000-000000000001${suffix}`);
    expect([theirs.status, theirs.body.error, theirs.body.code]).toEqual([
      404,
      "Batch not found",
      "batch_not_found",
    ]);
    expect({ ...theirs.body, request_id: "" }).toEqual({ ...none.body, request_id: "" });
    expect((await read()).status).toBe("processing");
  });
});

describe("GET /dashboard/batches", () => {
  test("lists only the account's shows, newest first", async () => {
    const { api } = await setUp(1);
    const other = await createTestApi();
    await insertShow(other, "theirs");
    expect((await api.call("GET", "/dashboard/batches")).body).toEqual({ batches: [] });
    const older = await insertShow(api, "older");
    const newer = await insertShow(api, "newer");
    expect((await api.call("GET", "/dashboard/batches")).body).toEqual({
      batches: [
        { id: newer, title: "newer" },
        { id: older, title: "older" },
      ].map(({ id, title }) => ({
        id,
        show_url: `https://podcasts.example/${title}`,
        folder: title,
        total_episodes: 3,
        completed_episodes: 0,
        failed_episodes: 0,
        status: "processing",
      })),
    });
  });

  test("lists up to 100", async () => {
    const { api } = await setUp(1);
    for (let n = 0; n < 101; n += 1) await insertShow(api, `show ${n}`);
    const { batches } = (await api.call("GET", "/dashboard/batches")).body;
    expect(batches).toHaveLength(100);
    expect([batches[0].folder, batches[99].folder]).toEqual(["show 100", "show 1"]);
  });
});
