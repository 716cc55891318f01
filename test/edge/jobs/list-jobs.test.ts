import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { idOfMany, insertManyJobs } from "../support/many-jobs.ts";
import { createTestAccount, createTestApi } from "../support/test-api.ts";

const api = await createTestApi();
const prefix = "01900000-0000";
const idOf = (n: number) => idOfMany(prefix, n);
const list = async (query: string) => (await api.call("GET", `/jobs${query}`)).body;
const idsOf = async (query: string): Promise<string[]> => {
  const { jobs } = await list(query);
  return jobs.map(({ id }: { id: string }) => id);
};

beforeAll(async () => {
  await insertManyJobs(api.dependencies, api.account.id, { count: 1200, prefix });
});

describe("GET /jobs", () => {
  it("lists 20 jobs, newest first, and the total", async () => {
    const { jobs, ...envelope } = await list("");
    expect(envelope).toEqual({ total: 1200, limit: 20, offset: 0 });
    expect(jobs.map(({ id }: { id: string }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => idOf(1200 - index)),
    );
  });

  it("shows a file only for a completed job", async () => {
    const { jobs } = await list("?limit=4&offset=1");
    expect(jobs).toEqual(
      [1199, 1198, 1197, 1196].map((n) => ({
        id: idOf(n),
        url: `https://many.example/${String(n).padStart(7, "0")}`,
        status: { 0: "Pending", 1: "Processing", 2: "Completed", 3: "Failed" }[n % 4],
        step: "Queued",
        error: null,
        created_at: n,
        finished_at: null,
        storage_key: n % 4 === 2 ? `${n}.mp4` : null,
        file_size: n % 4 === 2 ? n : null,
      })),
    );
  });

  it("continues where a page ended, up to the last job", async () => {
    expect(await idsOf("?limit=3&offset=1198")).toEqual([idOf(2), idOf(1)]);
    expect(await idsOf("?offset=1200")).toEqual([]);
    expect(await idsOf("?offset=1000000000")).toEqual([]);
  });

  it.each([
    ["pending", 300],
    ["Processing", 300],
    ["COMPLETED", 300],
    ["fAiLeD", 300],
  ])("filters by the status %s, in any letter case", async (status, total) => {
    const body = await list(`?status=${status}&limit=100&offset=250`);
    expect(body.total).toBe(total);
    expect(body.jobs).toHaveLength(50);
    for (const job of body.jobs) expect(job.status.toLowerCase()).toBe(status.toLowerCase());
  });

  it("lists the jobs of a batch in every status, merged in one order", async () => {
    const urls = Array.from({ length: 7 }, (_, n) => ({ url: `https://batch.example/${n}` }));
    const { body: bulk } = await api.call("POST", "/jobs/bulk", { json: { jobs: urls } });
    await api.call("DELETE", `/jobs/${bulk.job_ids[2]}`);
    await api.call("DELETE", `/jobs/${bulk.job_ids[5]}`);
    const newest = bulk.job_ids.toReversed();
    expect(await idsOf(`?batch_id=${bulk.batch_id}`)).toEqual(newest);
    expect(await idsOf(`?batch_id=${bulk.batch_id.toUpperCase()}&limit=3&offset=3`)).toEqual(
      newest.slice(3, 6),
    );
    expect(await list(`?batch_id=${bulk.batch_id}&limit=1`)).toMatchObject({ total: 7 });
    const totalOf = async (status: string) =>
      (await list(`?batch_id=${bulk.batch_id}&status=${status}`)).total;
    expect([
      await totalOf("pending"),
      await totalOf("processing"),
      await totalOf("completed"),
      await totalOf("failed"),
    ]).toEqual([5, 0, 0, 2]);
    expect(await idsOf(`?batch_id=${bulk.batch_id}&status=failed`)).toEqual([
      bulk.job_ids[5],
      bulk.job_ids[2],
    ]);
  });

  it("finds nothing in a batch that does not exist", async () => {
    expect(await list(`?batch_id=${idOf(1)}`)).toMatchObject({ jobs: [], total: 0 });
  });

  it("takes empty parameters as omitted and ignores unknown ones", async () => {
    const plain = await list("?limit=5");
    expect(await list("?limit=5&offset=&status=&batch_id=&search=&nope=1")).toEqual(plain);
  });

  it.each([
    ["limit=0", "limit must be an integer from 1 to 100"],
    ["limit=101", "limit must be an integer from 1 to 100"],
    ["limit=1.5", "limit must be an integer from 1 to 100"],
    ["limit=1e1", "limit must be an integer from 1 to 100"],
    ["limit=ten", "limit must be an integer from 1 to 100"],
    ["limit=1&limit=2", "limit must be an integer from 1 to 100"],
    ["offset=-1", "offset must be an integer from 0 to 1000000000"],
    ["status=done", "Invalid status (allowed: pending, processing, completed, failed)"],
    ["status=pending&status=failed", "Invalid status (allowed: pending, processing, completed, failed)"],
    ["batch_id=7", "Invalid batch id"],
    ["search=a&search=b", "search must be a string"],
  ])("rejects %s", async (query, error) => {
    const { status, body } = await api.call("GET", `/jobs?${query}`);
    expect([status, body.error]).toEqual([400, error]);
    expect(body.details).toEqual([{ path: query.split("=")[0], message: error }]);
  });

  it("shows an account only its own jobs", async () => {
    const other = await createTestAccount(api.dependencies);
    const headers = { "x-api-key": other.key };
    const urls = [{ url: "https://mine.example/" }];
    const { body: mine } = await api.call("POST", "/jobs/bulk", { json: { jobs: urls } });
    for (const query of [
      "",
      "?status=failed",
      `?batch_id=${mine.batch_id}`,
      `?batch_id=${mine.batch_id}&status=pending`,
      `?search=${idOf(1)}`,
      "?search=https://many",
    ]) {
      const { body } = await api.send("GET", `/jobs${query}`, { headers });
      expect([query, body.jobs, body.total]).toEqual([query, [], 0]);
    }
  });
});

describe("the search of GET /jobs", () => {
  it("finds a job by its whole id in any letter case, within the filters", async () => {
    expect(await list(`?search=${idOf(7).toUpperCase()}`)).toMatchObject({
      total: 1,
      jobs: [{ id: idOf(7) }],
    });
    expect(await list(`?search=${idOf(7)}&status=failed`)).toMatchObject({ total: 1 });
    expect(await list(`?search=${idOf(7)}&status=pending`)).toMatchObject({ total: 0, jobs: [] });
    expect(await list(`?search=${idOf(7)}&offset=1`)).toMatchObject({ total: 1, jobs: [] });
    expect(await list("?search=00000000-0000-0000-0000-000000000001")).toMatchObject({ total: 0, jobs: [] });
  });

  it("finds jobs by the beginning of their URL, newest first", async () => {
    const found = await list("?search=https://many.example/000012");
    expect(found.total).toBe(10);
    expect(found.jobs.map(({ id }: { id: string }) => id)).toEqual(
      Array.from({ length: 10 }, (_, index) => idOf(129 - index)),
    );
    for (const search of [
      "many.example",
      "ttps://many.example",
      "HTTPS://many.example",
      "%",
      "https://_any",
    ]) {
      expect((await list(`?search=${encodeURIComponent(search)}`)).total).toBe(0);
    }
  });

  it("respects the filters", async () => {
    const found = await list("?search=https://many.example/00001&status=completed&limit=2&offset=1");
    expect(found.total).toBe(25);
    expect(found.jobs.map(({ id }: { id: string }) => id)).toEqual([idOf(194), idOf(190)]);
  });

  it("counts to 1,000, and returns the newest of more matches", async () => {
    const found = await list("?search=https://many.example/&limit=3");
    expect(found.total).toBe(1000);
    expect(found.jobs.map(({ id }: { id: string }) => id)).toEqual([idOf(1200), idOf(1199), idOf(1198)]);
    expect(await idsOf("?search=https://many.example/&limit=100&offset=990")).toHaveLength(10);
    const failed = await list("?search=https://many.example/&status=failed&limit=1&offset=299");
    expect([failed.total, failed.jobs[0].id]).toEqual([300, idOf(3)]);
  });

  it("returns the newest of more than 1,000 matches first, wherever they are among the jobs", async () => {
    const crowd = await createTestApi();
    const url = (n: number) => (n <= 3000 ? "https://old.example/" : "https://new.example/");
    await insertManyJobs(crowd.dependencies, crowd.account.id, { count: 6000, prefix: "01900000-0003" });
    for (const [from, to] of [
      [0, 3000],
      [3000, 6000],
    ] as const) {
      await crowd.dependencies.database.run(
        sql`UPDATE jobs SET url = ${url(to)} || (7 * created_at % 6007)
          WHERE account_id = ${crowd.account.id} AND created_at > ${from} AND created_at <= ${to}`,
      );
    }
    const ids = async (query: string) => {
      const { body } = await crowd.call("GET", `/jobs?limit=3&${query}`);
      return [body.total, ...body.jobs.map(({ id }: { id: string }) => Number.parseInt(id.slice(24), 16))];
    };
    expect(await ids("search=https://old")).toEqual([1000, 3000, 2999, 2998]);
    expect(await ids("search=https://old&offset=997")).toEqual([1000, 2003, 2002, 2001]);
    expect(await ids("search=https://new&offset=900")).toEqual([1000, 5100, 5099, 5098]);
    expect(await ids("search=https://old&status=failed")).toEqual([750, 2999, 2995, 2991]);
    expect(await ids("search=https://&status=failed&offset=998")).toEqual([1000, 2007, 2003]);
  });

  it("accepts any text", async () => {
    for (const search of ["\u0000", "'; DROP TABLE jobs", "\u{10FFFF}", "x".repeat(4000), "日本"]) {
      const { status, body } = await api.call("GET", `/jobs?search=${encodeURIComponent(search)}`);
      expect([status, body.total]).toEqual([200, 0]);
    }
  });
});

describe("GET /dashboard/jobs", () => {
  it("lists 50 jobs as the dashboard shows them, with the filters of GET /jobs", async () => {
    const { body } = await api.call("GET", "/dashboard/jobs?search=https://many.example/");
    expect(body).toMatchObject({ total: 1000, limit: 50, offset: 0 });
    expect(body.jobs).toHaveLength(50);
    expect(body.jobs[2]).toEqual({
      id: idOf(1198),
      url: "https://many.example/0001198",
      status: "Completed",
      error: null,
      storage_key: "1198.mp4",
    });
    const failed = await api.call("GET", "/dashboard/jobs?status=failed&limit=1");
    expect(failed.body.jobs).toMatchObject([{ status: "Failed" }]);
  });
});
