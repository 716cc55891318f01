import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { ClaimedJob } from "../../../contracts/task.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { facts, timings } from "../support/made-file.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { countedFromRows, countersOf } from "../support/test-account.ts";
import { createTestAccount, createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";

async function setUp(cluster: Parameters<typeof quietCluster>[0] = {}) {
  const told: ClaimedJob[] = [];
  const noteDead = async (claims: readonly ClaimedJob[]) => void told.push(...claims);
  const api = await createTestApi(quietCluster({ noteDead, ...cluster }));
  // Tests of a file share the queue.
  await api.dependencies.database.run(sql`UPDATE jobs SET ready_at = NULL`);
  const { body } = await api.call("POST", "/jobs", { json: { url, webhook_url: "https://client.example/" } });
  const id: string = body.job_id;
  const change = (event: Parameters<typeof applyChanges>[1][0]["event"], more = {}) =>
    applyChanges(api.dependencies, [{ accountId: api.account.id, jobId: id, event, ...more }]);
  return { api, id, told, change };
}
const claim = ({ dependencies }: TestApi) => claimJobs(dependencies, [{ nodeId: "node-a", slots: 1 }]);
const rowsOf = ({ dependencies, account }: TestApi, table: "day_counts" | "webhook_events") =>
  dependencies.database.all(sql`SELECT * FROM ${sql.identifier(table)} WHERE account_id = ${account.id}`);

describe.each([
  ["DELETE /jobs/{id}", "DELETE", ""],
  ["POST /jobs/{id}/cancel", "POST", "/cancel"],
])("%s", (_name, method, suffix) => {
  it("cancels a queued job", async () => {
    const { api, id, told } = await setUp();
    api.clock.now += 70;
    const { status, body } = await api.call(method, `/jobs/${id.toUpperCase()}${suffix}`);
    expect([status, body]).toEqual([200, { message: "Job cancelled", job_id: id }]);
    expect((await api.call("GET", `/jobs/${id}`)).body).toMatchObject({
      status: "Failed",
      step: "Finished",
      error: "Job cancelled by user",
      error_code: "cancelled",
      retryable: false,
      finished_at: api.clock.now,
    });
    expect(told).toEqual([]);
    expect(await claim(api)).toEqual([[]]);
  });

  it("counts it as failed, but on no day, and sends its webhook", async () => {
    const { api, id } = await setUp();
    await api.call(method, `/jobs/${id}${suffix}`);
    expect(await countersOf(api.dependencies, api.account.id)).toMatchObject({ pending: 0, failed: 1 });
    expect(await rowsOf(api, "day_counts")).toEqual([]);
    expect(await rowsOf(api, "webhook_events")).toMatchObject([{ type: "job_failed", job_id: id }]);
  });

  it("succeeds for one of many simultaneous requests", async () => {
    const { api, id } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.call(method, `/jobs/${id}${suffix}`)),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(7).fill(400),
    ]);
    expect(await countersOf(api.dependencies, api.account.id)).toEqual(
      await countedFromRows(api.dependencies, api.account.id),
    );
  });

  it("gives the same response for another account's job as for a missing one, and does not change it", async () => {
    const { api, id } = await setUp();
    const other = await createTestAccount(api.dependencies);
    const headers = { "x-api-key": other.key };
    const theirs = await api.send(method, `/jobs/${id}${suffix}`, { headers });
    const none = await api.call(method, `/jobs/00000000-0000-0000-0000-000000000001${suffix}`);
    expect([theirs.status, theirs.body.error, theirs.body.code]).toEqual([
      404,
      "Job not found",
      "job_not_found",
    ]);
    expect({ ...theirs.body, request_id: "" }).toEqual({ ...none.body, request_id: "" });
    expect((await api.call("GET", `/jobs/${id}`)).body.status).toBe("Pending");
  });

  it("rejects an invalid id", async () => {
    const { api } = await setUp();
    const { status, body } = await api.call(method, `/jobs/17${suffix}`);
    expect([status, body.error]).toEqual([400, "Invalid job id"]);
  });
});

describe("DELETE /jobs/{id}", () => {
  it("rejects a job that is in progress or has ended", async () => {
    const { api, id, change } = await setUp();
    await claim(api);
    const refused = async () => {
      const { status, body } = await api.call("DELETE", `/jobs/${id}`);
      expect([status, body.error, body.code]).toEqual([
        400,
        "Job cannot be cancelled (not in queue or already processing)",
        "job_not_cancellable",
      ]);
    };
    await refused();
    await change({ type: "fail", claim: 1, code: "internal" });
    await refused();
  });

  it("cancels a requeued job", async () => {
    const { api, id, change } = await setUp();
    await claim(api);
    await change({ type: "return", claim: 1 });
    expect((await api.call("DELETE", `/jobs/${id}`)).status).toBe(200);
  });
});

describe("POST /jobs/{id}/cancel", () => {
  it("ends a job in progress, and notifies its node at once", async () => {
    const { api, id, told, change } = await setUp();
    await claim(api);
    expect((await api.call("POST", `/jobs/${id}/cancel`)).body).toEqual({
      message: "Job cancelled",
      job_id: id,
    });
    expect(told).toEqual([{ account_id: api.account.id, job_id: id, claim: 1 }]);
    expect((await api.call("GET", `/jobs/${id}`)).body).toMatchObject({
      status: "Failed",
      error_code: "cancelled",
    });
    const [late] = await change({ type: "publish", claim: 1 }, { facts });
    expect(late?.kind).toBe("fenced");
  });

  it("succeeds even if the registry cannot be told", async () => {
    const { api, id } = await setUp({ noteDead: () => Promise.reject(new Error("reset")) });
    await claim(api);
    expect((await api.call("POST", `/jobs/${id}/cancel`)).status).toBe(200);
  });

  it("rejects a job that is just publishing its file, which then completes", async () => {
    const { api, id, told, change } = await setUp();
    await claim(api);
    await api.dependencies.database.run(sql`UPDATE jobs SET storage_key = 'talk.mp4' WHERE id = ${id}`);
    await change({ type: "publish", claim: 1 }, { facts });
    const { status, body } = await api.call("POST", `/jobs/${id}/cancel`);
    expect([status, body.error, body.code]).toEqual([400, "Job is already finishing", "job_not_cancellable"]);
    expect(told).toEqual([]);
    const [outcome] = await change({ type: "complete", claim: 1 }, { timings });
    expect(outcome?.kind).toBe("changed");
  });

  it("rejects a job that has ended", async () => {
    const { api, id, change } = await setUp();
    await claim(api);
    await change({ type: "fail", claim: 1, code: "internal" });
    const { status, body } = await api.call("POST", `/jobs/${id}/cancel`);
    expect([status, body.error, body.code]).toEqual([400, "Job has already ended", "job_not_cancellable"]);
  });
});
