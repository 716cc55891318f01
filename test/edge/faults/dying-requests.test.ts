import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../contracts/report.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { lastDays } from "../../../edge/statistics/days.ts";
import { brokenInvariants } from "../support/broken-invariants.ts";
import { dyingDatabase } from "../support/dying-database.ts";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { facts, timings } from "../support/made-file.ts";
import { memoryStorage } from "../support/memory-storage.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { makeShow } from "../support/show-batch.ts";
import { silentLog } from "../support/silent-log.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";

describe.each(["before", "after"] as const)("a Worker that dies just %s a query runs", (when) => {
  test("loses no report and counts none twice, whichever query it is", async () => {
    let deaths = 0;
    for (let query = 1; ; query += 1) {
      const { database, live, dieAt, hasDied } = dyingDatabase();
      const api = await createTestApi(
        quietCluster({ noteDead: async () => undefined, jobsMoved: async () => undefined }),
      );
      await live.run(sql`UPDATE jobs SET ready_at = NULL`);
      const { body } = await api.call("POST", "/jobs", {
        json: { url, webhook_url: "https://client.example/" },
      });
      const [[row] = []] = await claimJobs(api.dependencies, [{ nodeId: "node-a", slots: 1 }]);
      const claimed = { account_id: api.account.id, job_id: String(body.job_id), claim: row?.claim ?? 0 };
      const reports: Report[] = [
        { ...claimed, kind: "reserve_key", title: "Talk", extension: "mp4", taken: null, sidecars: [] },
        { ...claimed, kind: "upload_started", upload_id: "upload" },
        { ...claimed, kind: "publish", facts },
        { ...claimed, kind: "completed", timings },
      ];
      const request = { node_id: "node-a", free_slots: 0, reports };

      dieAt(query, when);
      const dying = handleReports({ ...api.dependencies, database }, request);
      const isDead = await dying.then(
        () => false,
        () => true,
      );
      expect(isDead).toBe(hasDied());
      // The node has received no response and resends the request.
      const repeated: Report[] = [];
      for (const report of reports) {
        const { results } = await handleReports(api.dependencies, { ...request, reports: [report] });
        if (results[0]?.outcome === "accepted") repeated.push(report);
      }
      expect(repeated.at(-1)?.kind).toBe("completed");
      const [firstDay = ""] = lastDays(api.clock.now, 7);
      expect(await brokenInvariants(live, firstDay, api.account.id)).toEqual([]);
      expect((await api.call("GET", `/jobs/${claimed.job_id}`)).body.status).toBe("Completed");
      if (!isDead) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(5);
  });
});

interface Write {
  /** What exists before; the request about it. */
  readonly prepare: (api: TestApi) => Promise<readonly [method: string, path: string, json?: object]>;
  /** What the account's jobs are afterwards, however often the request was sent. */
  readonly becomes: readonly string[];
}

const createJob = async (api: TestApi): Promise<string> =>
  (await api.call("POST", "/jobs", { json: { url } })).body.job_id;

const writes: Readonly<Record<string, Write>> = {
  "a job's creation": {
    prepare: async () => ["POST", "/jobs", { url }],
    becomes: ["Pending"],
  },
  "the creation of several": {
    prepare: async () => ["POST", "/jobs/bulk", { jobs: [{ url }, { url }] }],
    becomes: ["Pending", "Pending"],
  },
  "a retry": {
    prepare: async (api) => {
      const id = await createJob(api);
      await api.call("DELETE", `/jobs/${id}`);
      return ["POST", `/jobs/${id}/retry`];
    },
    becomes: ["Failed", "Pending"],
  },
  "a job's end by its client": {
    prepare: async (api) => {
      const id = await createJob(api);
      await claimAll(api.dependencies);
      return ["POST", `/jobs/${id}/cancel`];
    },
    becomes: ["Failed"],
  },
  "a batch's end by its client": {
    prepare: async (api) => {
      const { batchId } = await makeShow(api.dependencies, api.account.id, 3, "https://client.example/");
      await claimJobs(api.dependencies, [{ nodeId: "node-a", slots: 1 }]);
      return ["POST", `/batch/${batchId}/cancel`];
    },
    becomes: ["Failed", "Failed", "Failed"],
  },
  "a file's deletion": {
    prepare: async (api) => {
      const id = await createJob(api);
      for (const task of await claimAll(api.dependencies)) await finishTask(api.dependencies, task);
      return ["DELETE", `/jobs/${id}/file`];
    },
    becomes: ["Completed without a file"],
  },
};

describe.each(["before", "after"] as const)("where D1 fails just %s a query is carried out", (when) => {
  test.each(Object.entries(writes))("%s is done once when it is asked for again", async (_, write) => {
    for (let query = 1, hasFailed = true; hasFailed; query += 1) {
      const { database, live, dieAt, hasDied } = dyingDatabase();
      const quiet = quietCluster({ noteDead: async () => undefined, jobsMoved: async () => undefined });
      const api = await createTestApi({ ...quiet, database, log: silentLog, fetch: memoryStorage().fetch });
      await live.run(sql`UPDATE jobs SET ready_at = NULL WHERE status = 'Pending'`);
      const [method, path, json] = await write.prepare(api);
      const ask = () =>
        api.call(method, path, {
          headers: { "idempotency-key": "once" },
          ...(json !== undefined && { json }),
        });

      dieAt(query, when);
      const { status } = await ask();
      hasFailed = hasDied();
      expect(status).toBe(hasFailed ? 500 : 200);
      dieAt(Number.POSITIVE_INFINITY, when);
      // What has been done already cannot be done again, and is refused.
      expect([200, 400]).toContain((await ask()).status);
      const rows = await live.all<{ state: string }>(sql`
        SELECT CASE WHEN status = 'Completed' AND storage_key IS NULL THEN 'Completed without a file' ELSE status END
          AS state
        FROM jobs WHERE account_id = ${api.account.id} ORDER BY id`);
      expect(rows.map(({ state }) => state)).toEqual(write.becomes);
      const [firstDay = ""] = lastDays(api.clock.now, 7);
      expect(await brokenInvariants(live, firstDay, api.account.id)).toEqual([]);
    }
  });
});
