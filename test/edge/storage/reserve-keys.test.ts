import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { createJobs } from "../../../edge/jobs/create-jobs.store.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { useBucket } from "../../../edge/storage/bucket.store.ts";
import type { KeyWish } from "../../../edge/storage/key-wish.ts";
import { reserveKeys } from "../../../edge/storage/reserve-keys.ts";
import { countingDatabase } from "../support/database-cost.ts";
import { createBareAccount, newJob } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";

const clock = { now: Date.UTC(2026, 0, 31, 12) };
const { database, cost } = countingDatabase();
const dependencies = { ...testDependencies(clock), database };
let accountId: string;
let wishes: KeyWish[];

/** Eight running jobs that all ask for the name Talk.mp4. */
beforeEach(async () => {
  await database.run(sql`DELETE FROM jobs`);
  accountId = await createBareAccount(dependencies);
  const jobs = Array.from({ length: 8 }, () => newJob(dependencies));
  await createJobs(dependencies, { accountId, jobs, batch: null, keptAnswer: null });
  await claimJobs(dependencies, [{ nodeId: "node-a", slots: 100 }]);
  wishes = jobs.map(({ id }) => ({
    account_id: accountId,
    job_id: id,
    claim: 1,
    title: "Talk",
    extension: "mp4",
    taken: null,
    sidecars: [],
  }));
});

const wish = (index: number, fields: Partial<KeyWish> = {}): KeyWish => {
  const one = wishes[index];
  if (one === undefined) throw new RangeError(`There is no job ${index}`);
  return { ...one, ...fields };
};
const reserve = async (...wanted: KeyWish[]) =>
  (await reserveKeys(dependencies, "node-a", wanted)).map((key) => key?.storage_key);
const heldNames = async () => {
  const rows = await database.all<{ name: string }>(
    sql`SELECT name FROM reserved_keys WHERE freed_at IS NULL AND name LIKE ${`${accountId}/%`} ORDER BY name`,
  );
  return rows.map(({ name }) => name.slice(accountId.length + 1));
};

test("two files share no keys, even if their own differ", async () => {
  expect(await reserve(wish(0, { sidecars: ["en.vtt", "jpg"] }))).toEqual(["Talk.mp4"]);
  expect(await reserve(wish(1, { extension: "mkv", sidecars: ["de.vtt", "en.vtt"] }))).toEqual([
    "Talk (2).mkv",
  ]);
  expect(await reserve(wish(2, { extension: "mkv", sidecars: ["de.vtt"] }))).toEqual(["Talk.mkv"]);
  expect(await reserve(wish(3, { extension: "webm" }))).toEqual(["Talk.webm"]);
  expect(await heldNames()).toEqual([
    "Talk (2).de.vtt",
    "Talk (2).en.vtt",
    "Talk (2).mkv",
    "Talk.de.vtt",
    "Talk.en.vtt",
    "Talk.jpg",
    "Talk.mkv",
    "Talk.mp4",
    "Talk.webm",
  ]);
});

test("simultaneous reservations each get their own number, in one request and in several", async () => {
  const sidecars = ["en.vtt", "jpg"];
  const extensions = ["mp4", "mkv", "webm", "mov", "mp4", "mkv", "webm", "mov"];
  const all = extensions.map((extension, index) => wish(index, { extension, sidecars }));
  const answers = await Promise.all([reserve(...all.slice(0, 4)), reserve(...all.slice(4))]);
  const stems = answers.flat().map((key) => key?.replace(/\.\w+$/, ""));
  expect(new Set(stems).size).toBe(8);
  expect(await heldNames()).toHaveLength(24);
});

test("a job keeps its key while it covers all its files, and otherwise gets another and frees the first", async () => {
  await reserve(wish(0, { sidecars: ["en.vtt", "jpg"] }));
  expect(await reserve(wish(0, { sidecars: ["jpg"] }))).toEqual(["Talk.mp4"]);
  expect(await reserve(wish(0, { sidecars: ["jpg", "de.vtt"] }))).toEqual(["Talk (2).mp4"]);
  expect(await heldNames()).toEqual(["Talk (2).de.vtt", "Talk (2).jpg", "Talk (2).mp4"]);
});

test("if storage already holds one of the keys, the next number is taken, and the key stays reserved", async () => {
  const sidecars = ["jpg"];
  await reserve(wish(0, { sidecars }));
  expect(await reserve(wish(0, { sidecars, taken: "Talk.mp4" }))).toEqual(["Talk (2).mp4"]);
  expect(await heldNames()).toEqual(["Talk (2).jpg", "Talk (2).mp4", "Talk.jpg", "Talk.mp4"]);
});

test("all keys of a failed job are freed, and not reused for an hour", async () => {
  const sidecars = ["en.vtt", "jpg"];
  await reserve(wish(0, { sidecars }));
  const event = { type: "fail", claim: 1, code: "internal" } as const;
  await applyChanges(dependencies, [{ accountId, jobId: wish(0).job_id, event }]);
  expect(await heldNames()).toEqual([]);
  expect(await reserve(wish(1, { extension: "mkv", sidecars: ["jpg"] }))).toEqual(["Talk (2).mkv"]);
  clock.now += 60 * 60 * 1000;
  expect(await reserve(wish(2, { sidecars }))).toEqual(["Talk.mp4"]);
});

test("a job does not get back a name under which something of it is still to be deleted", async () => {
  await reserve(wish(0));
  await database.run(sql`UPDATE jobs SET upload_id = 'begun' WHERE id = ${wish(0).job_id}`);
  expect(await reserve(wish(0, { extension: "mkv" }))).toEqual(["Talk.mkv"]);
  clock.now += 60 * 60 * 1000;
  expect(await reserve(wish(0))).toEqual(["Talk (2).mp4"]);
  expect(await reserve(wish(1))).toEqual(["Talk.mp4"]);
});

test("a dead claim gets no key and reserves none", async () => {
  expect(await reserve(wish(0, { claim: 2, sidecars: ["jpg"] }))).toEqual([undefined]);
  expect(await heldNames()).toEqual([]);
});

test("accounts that have configured the same bucket share no key, in one request or in several", async () => {
  const shared = {
    endpoint: "https://s3.example",
    bucket: accountId,
    region: "auto",
    force_path_style: true,
  };
  const ofOthers = await Promise.all(
    [1, 2].map(async () => {
      const owner = await createBareAccount(dependencies);
      await useBucket(dependencies, owner, { ...shared, access_key_id: "a", secret_access_key: "s" });
      const jobs = [newJob(dependencies), newJob(dependencies)];
      await createJobs(dependencies, { accountId: owner, jobs, batch: null, keptAnswer: null });
      return jobs.map(({ id }) => ({ ...wish(0), account_id: owner, job_id: id, sidecars: ["jpg"] }));
    }),
  );
  await claimJobs(dependencies, [{ nodeId: "node-a", slots: 100 }]);
  const [one, other] = ofOthers;
  const together = [one?.[0] ?? wish(0), other?.[0] ?? wish(0)];
  const apart = [one?.[1] ?? wish(0), other?.[1] ?? wish(0)];
  const keys = [await reserve(...together), await Promise.all(apart.map((each) => reserve(each)))].flat(2);
  expect(keys.slice(0, 2)).toEqual(["Talk.mp4", "Talk (2).mp4"]);
  expect(new Set(keys.slice(2))).toEqual(new Set(["Talk (3).mp4", "Talk (4).mp4"]));
  expect(await reserve(wish(0))).toEqual(["Talk.mp4"]);
});

test("jobs with a hundred languages each get their keys in one request", async () => {
  const sidecars = Array.from({ length: 100 }, (_, index) => `l${index}.vtt`);
  const keys = await reserve(...wishes.map((one) => ({ ...one, title: "x".repeat(300), sidecars })));
  expect(new Set(keys).size).toBe(8);
  expect(await heldNames()).toHaveLength(8 * 101);
});

test("a key costs only its own rows, however many are reserved", async () => {
  const costOf = async (one: KeyWish) => {
    const before = { ...cost };
    await reserve(one);
    return { read: cost.rowsRead - before.rowsRead, written: cost.rowsWritten - before.rowsWritten };
  };
  await reserve(...[0, 1, 2].map((index) => wish(index, { title: "Other", sidecars: ["jpg"] })));
  expect({
    "a file alone": await costOf(wish(3)),
    "a file with two more": await costOf(wish(4, { title: "Film", sidecars: ["en.vtt", "jpg"] })),
  }).toEqual({
    "a file alone": { read: 12, written: 3 },
    "a file with two more": { read: 18, written: 5 },
  });
});
