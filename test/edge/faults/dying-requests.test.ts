import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../contracts/report.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { lastDays } from "../../../edge/statistics/days.ts";
import { brokenInvariants } from "../support/broken-invariants.ts";
import { dyingDatabase } from "../support/dying-database.ts";
import { facts, timings } from "../support/made-file.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { createTestApi } from "../support/test-api.ts";

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
