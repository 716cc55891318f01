import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { deliverEvent } from "../../../edge/webhooks/deliver-event.ts";
import { claimEvents, dueEvents } from "../../../edge/webhooks/webhook-event.store.ts";
import { countingDatabase } from "../support/database-cost.ts";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { idOfMany, insertManyJobs } from "../support/many-jobs.ts";
import { memoryStorage } from "../support/memory-storage.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { createTestApi } from "../support/test-api.ts";

const { database, cost } = countingDatabase();
const api = await createTestApi({ database });

/** The cost of one more request for an account that has already made some. */
async function costOf(request: () => Promise<{ status: number }>) {
  const before = { ...cost };
  expect((await request()).status).toBe(200);
  return {
    queries: cost.queries - before.queries,
    rowsRead: cost.rowsRead - before.rowsRead,
    rowsWritten: cost.rowsWritten - before.rowsWritten,
  };
}
const answer = async () => new Response();
const post = () => api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } });

it("the cost of a request depends only on the rows it concerns, not on the number of jobs", async () => {
  const { body } = await post();
  for (let more = 0; more < 30; more += 1) await post();
  expect({
    "POST /jobs": await costOf(post),
    "GET /jobs/{id}": await costOf(() => api.call("GET", `/jobs/${body.job_id}`)),
    "GET /usage": await costOf(() => api.call("GET", "/usage")),
  }).toEqual({
    "POST /jobs": { queries: 1, rowsRead: 6, rowsWritten: 7 },
    "GET /jobs/{id}": { queries: 1, rowsRead: 1, rowsWritten: 0 },
    "GET /usage": { queries: 1, rowsRead: 2, rowsWritten: 0 },
  });
});

it("the cost of webhooks depends only on the rows they concern, not on how many there have been", async () => {
  const { body } = await post();
  const id = (n: number) => `0197b1c2-9d20-7b41-8c3f-${String(n).padStart(12, "0")}`;
  const idOfN = sql`printf('0197b1c2-9d20-7b41-8c3f-%012d', n)`;
  const numbers = sql`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)`;
  await database.run(sql`${numbers}
    INSERT INTO webhook_events (id, account_id, type, subject, job_id, url, created_at)
    SELECT ${idOfN}, ${api.account.id}, 'job_failed', n, ${body.job_id}, 'https://client.example/', 0 FROM numbers`);
  await database.run(sql`${numbers}
    INSERT INTO webhook_deliveries (account_id, id, event_id, job_id, type, try, created_at)
    SELECT ${api.account.id}, ${idOfN}, ${idOfN}, CASE n % 100 WHEN 0 THEN ${body.job_id} ELSE ${idOfN} END,
      'job_failed', 1, 0
    FROM numbers`);
  await api.call("GET", "/user/webhook-secret");
  const list = (query: string) => costOf(() => api.call("GET", `/webhooks/deliveries${query}`));
  expect({
    "a page of the log": await list("?limit=20"),
    "a page of it further on": await list("?limit=20&offset=40"),
    "the log of a job": await list(`?job_id=${body.job_id}`),
    "sending again": await costOf(() => api.call("POST", `/webhooks/deliveries/${id(500)}/redeliver`)),
    "looking for what is due": await costOf(async () => {
      expect(await dueEvents(api.dependencies)).toEqual([id(500)]);
      return { status: 200 };
    }),
    "a try": await costOf(async () => {
      const events = await claimEvents(api.dependencies, [id(500), id(501)]);
      for (const event of events) await deliverEvent({ ...api.dependencies, fetch: answer }, event);
      return { status: 200 };
    }),
    "the secret": await costOf(() => api.call("GET", "/user/webhook-secret")),
    "its rotation": await costOf(() => api.call("POST", "/user/webhook-secret/rotate")),
  }).toEqual({
    "a page of the log": { queries: 1, rowsRead: 21, rowsWritten: 0 },
    "a page of it further on": { queries: 1, rowsRead: 61, rowsWritten: 0 },
    "the log of a job": { queries: 1, rowsRead: 21, rowsWritten: 0 },
    "sending again": { queries: 1, rowsRead: 5, rowsWritten: 2 },
    "looking for what is due": { queries: 1, rowsRead: 1, rowsWritten: 0 },
    "a try": { queries: 4, rowsRead: 13, rowsWritten: 6 },
    "the secret": { queries: 1, rowsRead: 1, rowsWritten: 0 },
    "its rotation": { queries: 2, rowsRead: 2, rowsWritten: 1 },
  });
});

it("the cost of buckets and their files depends only on the rows they concern, not on how many there have been", async () => {
  const { call, dependencies, account } = await createTestApi({ database, fetch: memoryStorage().fetch });
  const configure = (bucket: string) =>
    call("POST", "/user/bucket", {
      json: { endpoint: "https://s3.example", bucket, access_key_id: "a", secret_access_key: "s" },
    });
  for (let more = 0; more < 20; more += 1) await configure(`former-${more}`);
  await configure("my-media");
  for (let more = 0; more < 20; more += 1)
    await call("POST", "/jobs", { json: { url: "https://a.example/a.mp4" } });
  const ids: string[] = [];
  for (const task of await claimAll(dependencies)) {
    if (task.account_id !== account.id) continue;
    await finishTask(dependencies, task);
    ids.push(task.job_id);
  }
  const [shown = "", deleted = ""] = ids;
  expect({
    "POST /user/bucket": await costOf(() => configure("my-media")),
    "GET /user/bucket": await costOf(() => call("GET", "/user/bucket")),
    "GET /jobs/{id} with its URL": await costOf(() => call("GET", `/jobs/${shown}`)),
    "DELETE /jobs/{id}/file": await costOf(() => call("DELETE", `/jobs/${deleted}/file`)),
    "DELETE /user/bucket": await costOf(() => call("DELETE", "/user/bucket")),
  }).toEqual({
    "POST /user/bucket": { queries: 1, rowsRead: 5, rowsWritten: 4 },
    "GET /user/bucket": { queries: 1, rowsRead: 2, rowsWritten: 0 },
    "GET /jobs/{id} with its URL": { queries: 2, rowsRead: 2, rowsWritten: 0 },
    "DELETE /jobs/{id}/file": { queries: 3, rowsRead: 10, rowsWritten: 3 },
    "DELETE /user/bucket": { queries: 1, rowsRead: 3, rowsWritten: 3 },
  });
});

describe.each([
  { count: 1_000, prefix: "01900000-0001" },
  { count: 100_000, prefix: "01900000-0002" },
])("an account with $count jobs", ({ count, prefix }) => {
  it("pays for a page and its offset, and for the jobs that a request concerns", async () => {
    const { call, dependencies, account } = await createTestApi({
      database,
      ...quietCluster({ noteDead: async () => undefined }),
    });
    await insertManyJobs(dependencies, account.id, { count, prefix });
    const jobs = Array.from({ length: 10 }, () => ({ url: "https://a.example/" }));
    const bulk = (headers = {}) => call("POST", "/jobs/bulk", { json: { jobs }, headers });
    await bulk();
    const { batch_id, job_ids } = (await bulk({ "idempotency-key": "bulk" })).body;
    const show = `https://many.example/${String(count / 10).padStart(7, "0")}`;
    const get = (path: string) => costOf(() => call("GET", path));
    expect({
      "GET /jobs": await get("/jobs"),
      "GET /jobs, 300 further": await get("/jobs?limit=100&offset=300"),
      "GET /jobs of a status": await get("/jobs?status=failed&limit=100"),
      "GET /jobs of a status, 100 further": await get("/jobs?status=failed&offset=100"),
      "GET /jobs of a batch": await get(`/jobs?batch_id=${batch_id}`),
      "GET /jobs of a batch and a status": await get(`/jobs?batch_id=${batch_id}&status=pending`),
      "GET /jobs by an id": await get(`/jobs?search=${idOfMany(prefix, 7)}`),
      "GET /jobs by a URL": await get(`/jobs?search=${show}`),
      "GET /dashboard/jobs": await get("/dashboard/jobs"),
      "GET /dashboard/stats": await get("/dashboard/stats"),
      "GET /dashboard/daily": await get("/dashboard/daily"),
      "GET /dashboard/batches": await get("/dashboard/batches"),
      "GET /batch/{id}": await get(`/batch/${batch_id}`),
      "POST /jobs/bulk again": await costOf(() => bulk({ "idempotency-key": "bulk" })),
      "POST /jobs/bulk of 10": await costOf(() => bulk()),
      "DELETE /jobs/{id}": await costOf(() => call("DELETE", `/jobs/${job_ids[0]}`)),
      "POST /jobs/{id}/cancel": await costOf(() => call("POST", `/jobs/${job_ids[1]}/cancel`)),
      "POST /jobs/{id}/retry": await costOf(() => call("POST", `/jobs/${job_ids[0]}/retry`)),
      "POST /batch/{id}/cancel of 8": await costOf(() => call("POST", `/batch/${batch_id}/cancel`)),
    }).toEqual({
      "GET /jobs": { queries: 1, rowsRead: 21, rowsWritten: 0 },
      "GET /jobs, 300 further": { queries: 1, rowsRead: 401, rowsWritten: 0 },
      "GET /jobs of a status": { queries: 1, rowsRead: 101, rowsWritten: 0 },
      "GET /jobs of a status, 100 further": { queries: 1, rowsRead: 121, rowsWritten: 0 },
      "GET /jobs of a batch": { queries: 1, rowsRead: 12, rowsWritten: 0 },
      "GET /jobs of a batch and a status": { queries: 1, rowsRead: 12, rowsWritten: 0 },
      "GET /jobs by an id": { queries: 2, rowsRead: 4, rowsWritten: 0 },
      "GET /jobs by a URL": { queries: 2, rowsRead: 5, rowsWritten: 0 },
      "GET /dashboard/jobs": { queries: 1, rowsRead: 51, rowsWritten: 0 },
      "GET /dashboard/stats": { queries: 1, rowsRead: 1, rowsWritten: 0 },
      "GET /dashboard/daily": { queries: 1, rowsRead: 1, rowsWritten: 0 },
      "GET /dashboard/batches": { queries: 1, rowsRead: 0, rowsWritten: 0 },
      "GET /batch/{id}": { queries: 1, rowsRead: 12, rowsWritten: 0 },
      "POST /jobs/bulk again": { queries: 1, rowsRead: 1, rowsWritten: 0 },
      "POST /jobs/bulk of 10": { queries: 1, rowsRead: 15, rowsWritten: 63 },
      "DELETE /jobs/{id}": { queries: 2, rowsRead: 37, rowsWritten: 6 },
      "POST /jobs/{id}/cancel": { queries: 2, rowsRead: 37, rowsWritten: 6 },
      "POST /jobs/{id}/retry": { queries: 2, rowsRead: 7, rowsWritten: 7 },
      "POST /batch/{id}/cancel of 8": { queries: 4, rowsRead: 190, rowsWritten: 27 },
    });
  });

  it("pays no more for a search with too many matches than for the most it may return", async () => {
    const { call, dependencies, account } = await createTestApi({ database });
    await insertManyJobs(dependencies, account.id, {
      count,
      prefix: `${prefix.slice(0, -4)}1${prefix.slice(-3)}`,
    });
    const search = (query: string) => costOf(() => call("GET", `/jobs?search=https://${query}`));
    expect((await search("")).rowsRead).toBeLessThanOrEqual(1100);
    expect((await search("&status=failed")).rowsRead).toBeLessThanOrEqual(4100);
    // There are many matches, all older than the newest jobs, which are scanned first.
    expect((await search("many.example/0&offset=999")).rowsRead).toBeLessThanOrEqual(12_100);
    expect((await search("many.example/000&status=failed")).rowsRead).toBeLessThanOrEqual(17_100);
  });
});
