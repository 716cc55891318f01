import { expect, it } from "vitest";
import { singleJob } from "../../../bench/capacity/job-cost.ts";
import type { Report } from "../../../contracts/report.ts";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { consumeWakeUps } from "../../../edge/dispatch/jobs.consumer.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { countingDatabase } from "../support/database-cost.ts";
import { facts, timings } from "../support/made-file.ts";
import { emptyLine } from "../support/show-batch.ts";
import { createTestApi } from "../support/test-api.ts";
import { silentQueue } from "../support/test-dependencies.ts";

const looks = 5;
const reports = 3;

/** A registry with one slot that counts its calls. */
function countingRegistry() {
  let calls = 0;
  const grants = [[{ id: "grant", nodeId: "node-a", address: "http://node-a", slots: 1 }]];
  const answers: Record<string, (...given: never[]) => unknown> = {
    grantSlots: () => grants.shift() ?? [],
    liveState: () => null,
  };
  const registry = new Proxy(
    {},
    {
      get:
        (_, name: string) =>
        async (...given: never[]) => {
          calls += 1;
          return answers[name]?.(...given);
        },
    },
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each method returns what the edge needs here
  return { registry: registry as Dependencies["registry"], calls: () => calls };
}

it("a job costs each component no more than the load model says", async () => {
  const { database, cost } = countingDatabase();
  const { registry, calls } = countingRegistry();
  let messages = 0;
  const send = () => {
    messages += 1;
    return silentQueue.sendBatch([]);
  };
  const wakeUps = { metrics: () => silentQueue.metrics(), send, sendBatch: () => silentQueue.sendBatch([]) };
  const accepting: Pick<Dependencies, "processors"> = {
    processors: {
      ...(await createTestApi()).dependencies.processors,
      sendTasks: async (_, { tasks }) => ({
        results: tasks.map(({ job_id, claim }) => ({ job_id, claim, accepted: true })),
      }),
    },
  };
  const api = await createTestApi({ database, registry, wakeUps, ...accepting });
  await emptyLine(api.dependencies);
  const post = async (): Promise<string> =>
    (await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } })).body.job_id;
  const first = await post();
  await api.call("DELETE", `/jobs/${first}`);
  const before = { ...cost, calls: calls(), messages };

  const jobId = await post();
  await consumeWakeUps({ ackAll: () => undefined }, api.dependencies);
  const subject = { account_id: api.account.id, job_id: jobId, claim: 1 };
  const said: Report[] = [
    { ...subject, kind: "reserve_key", title: "Talk", extension: "mp4", taken: null, sidecars: [] },
    { ...subject, kind: "publish", facts },
    { ...subject, kind: "completed", timings },
  ];
  for (const report of said) {
    const body = { node_id: "node-a", free_slots: 0, reports: [report] };
    expect((await handleReports(api.dependencies, body)).results[0]?.outcome).toBe("accepted");
  }
  for (let look = 0; look < looks; look += 1)
    expect((await api.call("GET", `/jobs/${jobId}`)).body.status).toBe("Completed");

  expect({
    workerRequests: 1 + reports + looks,
    rowsRead: cost.rowsRead - before.rowsRead,
    rowsWritten: cost.rowsWritten - before.rowsWritten,
    queries: cost.queries - before.queries,
    queueMessages: messages - before.messages,
    objectRequests: calls() - before.calls,
  }).toEqual(singleJob);
});
