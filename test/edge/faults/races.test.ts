import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Task } from "../../../contracts/task.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { lastDays } from "../../../edge/statistics/days.ts";
import { brokenInvariants } from "../support/broken-invariants.ts";
import { claimAll, claimingNode, finishTask } from "../support/finish-job.ts";
import { memoryStorage } from "../support/memory-storage.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { makeShow } from "../support/show-batch.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";
const rounds = 100;

async function setUp({ fetch } = memoryStorage()): Promise<TestApi> {
  const api = await createTestApi({
    fetch,
    ...quietCluster({ noteDead: async () => undefined, jobsMoved: async () => undefined }),
  });
  await api.dependencies.database.run(sql`UPDATE jobs SET ready_at = NULL`);
  return api;
}

async function expectSound(api: TestApi): Promise<void> {
  const [firstDay = ""] = lastDays(api.clock.now, 7);
  expect(await brokenInvariants(api.dependencies.database, firstDay, api.account.id)).toEqual([]);
}

test("a job cancelled while it is claimed is either cancelled or in progress, never both, in a hundred rounds", async () => {
  const api = await setUp();
  const ends = { cancelled: 0, started: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { body } = await api.call("POST", "/jobs", { json: { url } });
    // From round to round, the claim comes later among the queries of the cancel.
    const start = async () => {
      for (let query = 0; query < round % 5; query += 1) await api.dependencies.database.run(sql`SELECT 1`);
      return claimJobs(api.dependencies, [{ nodeId: "node-a", slots: 1 }]);
    };
    const cancel = () => api.call("DELETE", `/jobs/${body.job_id}`);
    const [claimed, cancelled] = await Promise.all([start(), cancel()]);
    const wasStarted = claimed.flat().length === 1;
    expect(cancelled.status).toBe(wasStarted ? 400 : 200);
    const { status } = (await api.call("GET", `/jobs/${body.job_id}`)).body;
    expect(status).toBe(wasStarted ? "Processing" : "Failed");
    ends[wasStarted ? "started" : "cancelled"] += 1;
  }
  await expectSound(api);
  expect(ends.cancelled, "cancelled first").toBeGreaterThan(0);
  expect(ends.started, "claimed first").toBeGreaterThan(0);
});

test("when a show's last two episodes end at the same time, the batch ends once, with one event", async () => {
  const api = await setUp();
  const { dependencies, account } = api;
  for (let round = 0; round < 10; round += 1) {
    const { batchId } = await makeShow(dependencies, account.id, 2, "https://client.example/");
    const [one, other] = await claimAll(dependencies);
    if (one === undefined || other === undefined) throw new Error("The episodes were not claimed");
    const fail = ({ account_id, job_id, claim }: Task) =>
      handleReports(dependencies, {
        node_id: claimingNode,
        free_slots: 0,
        reports: [{ account_id, job_id, claim, kind: "failed", code: "source_error", detail: null }],
      });
    await Promise.all([finishTask(dependencies, one, { title: `Talk ${round}` }), fail(other), fail(other)]);
    expect((await api.call("GET", `/batch/${batchId}`)).body).toMatchObject({
      status: "finished",
      completed_episodes: 1,
      failed_episodes: 1,
    });
    const events = await dependencies.database.all(
      sql`SELECT type FROM webhook_events WHERE subject = ${batchId}`,
    );
    expect(events).toEqual([{ type: "batch_completed" }]);
  }
  await expectSound(api);
});

test("simultaneous retries of a failed job each create a job, and simultaneous deletions delete the file, with 200 or, once it is gone, 400", async () => {
  const storage = memoryStorage();
  const api = await setUp(storage);
  const failed = (await api.call("POST", "/jobs", { json: { url } })).body.job_id;
  await api.call("DELETE", `/jobs/${failed}`);
  const kept = (await api.call("POST", "/jobs", { json: { url } })).body.job_id;
  for (const task of await claimAll(api.dependencies)) await finishTask(api.dependencies, task);

  const retry = () => api.call("POST", `/jobs/${failed}/retry`);
  const remove = () => api.call("DELETE", `/jobs/${kept}/file`);
  const answers = await Promise.all([retry(), remove(), retry(), remove(), retry(), remove()]);
  const [first, , second, , third] = answers.map(({ body }) => body.job_id);
  expect(new Set([first, second, third, failed]).size).toBe(4);
  const removals = answers.filter((_, index) => index % 2 === 1);
  for (const { status, body } of removals)
    expect([status, body.code ?? body.message]).toEqual(
      status === 200 ? [200, "File deleted"] : [400, "job_has_no_file"],
    );
  expect(removals.map(({ status }) => status)).toContain(200);
  expect((await remove()).body.code).toBe("job_has_no_file");
  expect((await api.call("GET", `/jobs/${kept}`)).body).toMatchObject({
    status: "Completed",
    storage_key: null,
  });
  expect((await api.call("GET", "/usage")).body.usage_count).toBe(5);
  await expectSound(api);
});
