import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { memoryStorage } from "../support/memory-storage.ts";
import { type Operation, publishedDocument } from "../support/published-document.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { readTables } from "../support/read-tables.ts";
import { testDependencies } from "../support/test-dependencies.ts";
import { createTestApi } from "../support/test-api.ts";
import { requestsTo } from "./route-requests.ts";

/** Few requests to routes that have little to validate. */
const requestsTried = ({ parameters, requestBody }: Operation) => (parameters || requestBody ? 50 : 10);

/** Fails now and then, as networks do, depending only on the number of the request. */
const storage = memoryStorage();
storage.answer = () => (storage.requests.length % 7 === 0 ? new Response("<Error/>", { status: 403 }) : null);

const { registry } = testDependencies();
const cluster = quietCluster({
  liveState: (jobId, claim) => registry.liveState(jobId, claim),
  noteDead: (claims) => registry.noteDead(claims),
  clusterCounts: () => registry.clusterCounts(),
});
const api = await createTestApi({ ...cluster, fetch: storage.fetch });
const { database } = api.dependencies;
const ids = await createHistory();

const routes = Object.entries(publishedDocument.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    name: `${method} ${path}`,
    method,
    path,
    operation,
  })),
);

describe("for any request", () => {
  const seen = new Set<number>();

  // parse-response.ts fails if a response is not published, or its body not as published.
  it.each(routes)(
    "$name gives a published response, and changes nothing if it rejects the request",
    async (route) => {
      const requests = requestsTo(route, fc.constantFrom(...ids));
      let before = await readTables(database);
      await fc.assert(
        fc.asyncProperty(requests, async ({ method, path, headers, body }) => {
          const answer = await api.call(method, path, { headers, ...(body !== null && { body }) });
          seen.add(answer.status);
          expect(answer.status).toBeLessThan(500);
          const after = await readTables(database);
          if (answer.status >= 400) expect(after).toBe(before);
          before = after;
        }),
        { numRuns: requestsTried(route.operation), endOnFailure: true },
      );
    },
  );

  it("every kind of response was seen", () => {
    expect([...seen]).toEqual(expect.arrayContaining([200, 400, 404, 415]));
  });
});

/** Jobs of every status, in a batch and alone, with files and webhooks; returns all ids that a request may name. */
async function createHistory(): Promise<string[]> {
  const json = { url: "https://media.example/a.mp4", webhook_url: "https://client.example/hook" };
  const createJob = async (): Promise<string> => (await api.call("POST", "/jobs", { json })).body.job_id;
  const finished = [await createJob(), await createJob()];
  for (const task of await claimAll(api.dependencies)) await finishTask(api.dependencies, task);
  const running = await createJob();
  await claimAll(api.dependencies);
  const cancelled = await createJob();
  await api.call("DELETE", `/jobs/${cancelled}`);
  const bulk = await api.call("POST", "/jobs/bulk", {
    json: { jobs: [{ url: json.url }, { url: json.url }] },
  });
  return [...finished, running, cancelled, await createJob(), bulk.body.batch_id, ...bulk.body.job_ids];
}
