import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { eraseCredentials } from "../../../edge/storage/erase-credentials.store.ts";
import { countingDatabase } from "../support/database-cost.ts";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { insertManyJobs } from "../support/many-jobs.ts";
import { memoryStorage } from "../support/memory-storage.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const access = { endpoint: "https://s3.example", access_key_id: "AKIDEXAMPLE", secret_access_key: "secret" };
const { database, cost } = countingDatabase();

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi({ fetch: memoryStorage().fetch, database });
  await database.run(sql`UPDATE storage_locations SET check_at = NULL`);
});

const configure = (bucket: string) => api.call("POST", "/user/bucket", { json: { ...access, bucket } });
const leave = () => api.call("DELETE", "/user/bucket");
const createJob = async (): Promise<string> =>
  (await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } })).body.job_id;
const finishJobs = async () => {
  for (const task of await claimAll(api.dependencies)) {
    if (task.account_id === api.account.id) await finishTask(api.dependencies, task);
  }
};

/** The buckets whose credentials remain after an hour of sweeps. */
async function keptBuckets(): Promise<string[]> {
  for (let sweeps = 0; sweeps < 7; sweeps += 1) {
    api.clock.now += 10 * 60 * 1000;
    await eraseCredentials(api.dependencies);
  }
  const rows = await database.all<{ bucket: string; id: string | null; secret: string | null }>(sql`
    SELECT bucket, access_key_id AS id, secret_access_key AS secret FROM storage_locations
    WHERE account_id = ${api.account.id} ORDER BY bucket`);
  for (const { id, secret } of rows) expect(id === null).toBe(secret === null);
  return rows.filter(({ secret }) => secret !== null).map(({ bucket }) => bucket);
}

describe("the credentials of a bucket", () => {
  it("remain while it is in use, and are erased once it is not, if it never held anything", async () => {
    await configure("first");
    expect(await keptBuckets()).toEqual(["first"]);
    await configure("second");
    expect(await keptBuckets()).toEqual(["second"]);
    await leave();
    expect(await keptBuckets()).toEqual([]);
  });

  it("remain after its removal until its last unfinished job has ended without a file", async () => {
    await configure("first");
    const [one, other] = [await createJob(), await createJob()];
    await leave();
    await createJob();
    expect(await keptBuckets()).toEqual(["first"]);
    await api.call("DELETE", `/jobs/${one}`);
    expect(await keptBuckets()).toEqual(["first"]);
    await api.call("DELETE", `/jobs/${other}`);
    expect(await keptBuckets()).toEqual([]);
  });

  it("remain after its removal until its last file is deleted", async () => {
    await configure("first");
    const [one, other] = [await createJob(), await createJob()];
    await leave();
    await finishJobs();
    for (const id of [other, one]) {
      expect(await keptBuckets()).toEqual(["first"]);
      expect((await api.call("GET", `/jobs/${id}`)).body.storage_url).toMatch("https://s3.example/first/");
      expect((await api.call("DELETE", `/jobs/${id}/file`)).status).toBe(200);
    }
    expect(await keptBuckets()).toEqual([]);
  });

  it("remain after its removal until it holds nothing that is to be deleted", async () => {
    await configure("first");
    const job = await createJob();
    await leave();
    await database.run(sql`
      INSERT INTO left_files (account_id, job_id, storage_key, location_id, left_at, try_at)
      SELECT account_id, id, 'Talk.mp4', storage_location_id, 0, 0 FROM jobs WHERE id = ${job}`);
    await api.call("DELETE", `/jobs/${job}`);
    expect(await keptBuckets()).toEqual(["first"]);
    await database.run(sql`DELETE FROM left_files WHERE job_id = ${job}`);
    expect(await keptBuckets()).toEqual([]);
  });

  it("are stored again if it is configured again, even while they are being erased", async () => {
    await configure("first");
    await leave();
    expect(await keptBuckets()).toEqual([]);
    await configure("first");
    expect(await keptBuckets()).toEqual(["first"]);
    await leave();
    const raced = {
      ...api.dependencies,
      clock: () => api.clock.now + 60 * 60 * 1000,
      database: new Proxy(database, {
        get(target, name) {
          if (name !== "$client") return Reflect.get(target, name);
          return {
            prepare: (query: string) => target.$client.prepare(query),
            batch: async (statements: D1PreparedStatement[]) => {
              await configure("first");
              return target.$client.batch(statements);
            },
          };
        },
      }),
    };
    await eraseCredentials(raced);
    expect(await keptBuckets()).toEqual(["first"]);
  });
});

it("a check reads a bounded number of rows, and none twice", async () => {
  await configure("first");
  await insertManyJobs(api.dependencies, api.account.id, { count: 1200, prefix: "01900000-0009" });
  await database.run(sql`UPDATE jobs SET status = 'Failed' WHERE account_id = ${api.account.id}`);
  const needed = await createJob();
  await leave();
  api.clock.now += 10 * 60 * 1000;
  const rowsReadByCheck = async () => {
    const before = cost.rowsRead;
    await eraseCredentials(api.dependencies);
    return cost.rowsRead - before;
  };
  const checks = [await rowsReadByCheck(), await rowsReadByCheck(), await rowsReadByCheck()];
  for (const rows of checks) expect(rows).toBeLessThanOrEqual(505);
  expect(await rowsReadByCheck(), "nothing is due").toBeLessThanOrEqual(1);
  api.clock.now += 10 * 60 * 1000;
  expect(await rowsReadByCheck(), "the job that needs them comes first").toBeLessThanOrEqual(5);
  expect(await keptBuckets()).toEqual(["first"]);
  await api.call("DELETE", `/jobs/${needed}`);
  expect(await keptBuckets()).toEqual([]);
});
