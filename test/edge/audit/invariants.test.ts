import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { invariants } from "../../../edge/audit/invariants.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { createJobs } from "../../../edge/jobs/create-jobs.store.ts";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { createBareAccount, newJob } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";
import { brokenInvariants } from "../support/broken-invariants.ts";

const clock = { now: Date.UTC(2026, 0, 31, 12) };
const dependencies = testDependencies(clock);
const { database } = dependencies;
const webhookUrl = "https://client.example/hook";
const day = "2026-01-31";

let account: string;

/**
 * One job for each outcome, two in an ended batch, one running, one waiting: all created by the same code as in
 * production.
 */
beforeEach(async () => {
  account = await createBareAccount(dependencies);
  await database.run(sql`UPDATE jobs SET ready_at = NULL`);
  const create = (fields: Parameters<typeof newJob>[1][], folder: string | null = null) =>
    createJobs(dependencies, {
      accountId: account,
      jobs: fields.map((given) => newJob(dependencies, given)),
      batch: folder === null ? null : { id: dependencies.newId(), folder },
      keptAnswer: null,
    });
  await create([{ webhookUrl }, { webhookUrl }, {}]);
  await create([{}, {}], "talks");
  const [completed, cancelled, failed, ...episodes] = await claimAll(dependencies);
  if (!completed || !cancelled || !failed || episodes.length !== 2)
    throw new Error("Not all jobs were claimed");
  const sidecars = [{ kind: "thumbnail", storage_key: "Talk.jpg", bytes: 10, language: null }] as const;
  await finishTask(dependencies, completed, { sidecars: sidecars.map((one) => ({ ...one })) });
  const change = (jobId: string, event: Parameters<typeof applyChanges>[1][number]["event"]) =>
    applyChanges(dependencies, [{ accountId: account, jobId, event }]);
  await change(cancelled.job_id, { type: "cancel" });
  await change(failed.job_id, { type: "fail", claim: 1, code: "internal" });
  for (const task of episodes) await finishTask(dependencies, task, { title: "Episode" });
  await create([{}]);
  await claimAll(dependencies);
  await create([{}]);
});

test("hold in every state that the code produces", async () => {
  expect(await brokenInvariants(database, day, account)).toEqual([]);
  const [{ statuses } = { statuses: 0 }] = await database.all<{ statuses: number }>(
    sql`SELECT count(DISTINCT status) AS statuses FROM jobs WHERE account_id = ${account}`,
  );
  expect(statuses).toBe(4);
});

/** A change to the account's rows, and the invariants that it breaks. `?` stands for the account's id. */
const violations: readonly (readonly [broken: string, statement: string])[] = [
  ["usage", "UPDATE account_counters SET jobs_created = jobs_created + 1 WHERE account_id = ?"],
  ["status_counts", "UPDATE account_counters SET pending = pending - 1 WHERE account_id = ?"],
  ["status_counts", "UPDATE account_counters SET completed = completed + 1 WHERE account_id = ?"],
  ["storage_bytes", "UPDATE account_counters SET storage_bytes = storage_bytes + 5 WHERE account_id = ?"],
  [
    "period_bytes",
    "UPDATE account_counters SET period_storage_bytes = period_storage_bytes - 5 WHERE account_id = ?",
  ],
  ["day_counts", "UPDATE day_counts SET completed = completed + 1 WHERE account_id = ?"],
  ["day_counts", "DELETE FROM day_counts WHERE account_id = ?"],
  ["usage", "UPDATE account_counters SET trimmed_jobs = trimmed_jobs + 1 WHERE account_id = ?"],
  ["storage_bytes", "UPDATE account_counters SET trimmed_bytes = trimmed_bytes + 5 WHERE account_id = ?"],
  ["batches", "UPDATE batches SET trimmed_failed = trimmed_failed + 1 WHERE account_id = ?"],
  ["delivery_counts", "UPDATE account_counters SET webhook_deliveries = 7 WHERE account_id = ?"],
  ["batches", "UPDATE batches SET completed = completed + 1 WHERE account_id = ?"],
  ["batches", "UPDATE batches SET total = total + 1 WHERE account_id = ?"],
  ["batches", "UPDATE batches SET status = 'processing' WHERE account_id = ?"],
  ["batches", "DELETE FROM batches WHERE account_id = ?"],
  ["line", "UPDATE jobs SET ready_at = NULL WHERE account_id = ? AND status = 'Pending'"],
  ["queued_turns", "UPDATE account_counters SET queued_turn = queued_turn + 1 WHERE account_id = ?"],
  ["queued_turns", "UPDATE account_counters SET queued_turn = NULL WHERE account_id = ?"],
  ["events", "DELETE FROM webhook_events WHERE account_id = ?"],
  ["events", "UPDATE webhook_events SET type = 'batch_completed' WHERE account_id = ?"],
  ["events", "UPDATE jobs SET finished_at = finished_at + 1 WHERE account_id = ? AND status = 'Completed'"],
  ["events", "UPDATE batches SET webhook_url = 'https://client.example/' WHERE account_id = ?"],
  [
    "events",
    `INSERT INTO webhook_events (id, account_id, type, subject, url, created_at)
     SELECT id, account_id, 'job_completed', id, '', 0 FROM jobs WHERE account_id = ? AND status = 'Pending'`,
  ],
  ["waiting_jobs", "UPDATE jobs SET step = 'Muxing' WHERE account_id = ? AND status = 'Pending'"],
  ["jobs_in_work", "UPDATE jobs SET node_id = NULL WHERE account_id = ? AND status = 'Processing'"],
  ["jobs_in_work", "UPDATE jobs SET claim = 0 WHERE account_id = ? AND status = 'Processing'"],
  ["jobs_in_work", "UPDATE jobs SET publishing = 1 WHERE account_id = ? AND status = 'Processing'"],
  ["jobs_in_work", "UPDATE jobs SET upload_id = 'begun' WHERE account_id = ? AND status = 'Processing'"],
  [
    "times",
    "UPDATE jobs SET claimed_at = finished_at + 100000 WHERE account_id = ? AND status = 'Completed'",
  ],
  ["times", "UPDATE jobs SET claim = 1 WHERE account_id = ? AND status = 'Pending'"],
  ["times", "UPDATE jobs SET started_at = NULL WHERE account_id = ? AND status = 'Processing'"],
  [
    "upload_owners",
    "UPDATE jobs SET upload_id = account_id WHERE account_id = ? AND status IN ('Pending', 'Processing')",
  ],
  [
    "upload_owners",
    `INSERT INTO left_files (account_id, job_id, storage_key, location_id, upload_id, left_at, try_at)
     SELECT account_id, id, name, storage_location_id, account_id, 1, 1
     FROM jobs CROSS JOIN (SELECT 'a' AS name UNION ALL SELECT 'b') WHERE account_id = ? AND status = 'Failed'`,
  ],
  ["ended_jobs", "UPDATE jobs SET step = 'Uploading' WHERE account_id = ? AND status = 'Completed'"],
  ["ended_jobs", "UPDATE jobs SET publishing = 1 WHERE account_id = ? AND status = 'Failed'"],
  ["ended_jobs", "UPDATE jobs SET error = NULL WHERE account_id = ? AND status = 'Failed'"],
  [
    "interruptions",
    "UPDATE jobs SET interruptions = 3, claim = 3 WHERE account_id = ? AND status = 'Processing'",
  ],
  ["interruptions", "UPDATE jobs SET interruptions = 2 WHERE account_id = ? AND status = 'Processing'"],
  [
    "keys",
    "UPDATE jobs SET storage_key = 'Talk.mp4', sidecar_suffixes = NULL WHERE account_id = ? AND status = 'Completed'",
  ],
  ["reserved_names", "UPDATE reserved_keys SET freed_at = 1 WHERE name = ? || '/Talk.jpg'"],
  ["reserved_names", "UPDATE reserved_keys SET job_id = 'another' WHERE name = ? || '/Talk.mp4'"],
  [
    "left_files",
    `INSERT INTO left_files (account_id, job_id, storage_key, location_id, left_at, try_at)
     SELECT account_id, id, 'Talk.jpg', storage_location_id, 1, 1 FROM jobs WHERE account_id = ? AND status = 'Completed'`,
  ],
  [
    "drafts",
    `INSERT INTO show_drafts (account_id, batch_id, first_place, count, created_at, episodes)
     SELECT account_id, id, 0, 1, 1, '[]' FROM batches WHERE account_id = ?`,
  ],
];

test.for(violations)("%s fails after %s", async ([broken, statement]) => {
  await database.$client.prepare(statement).bind(account).run();
  const found = await brokenInvariants(database, day, account);
  expect(found.map(({ name }) => name)).toContain(broken);
});

test("left_files fails for a key under which a running job is going to store its file", async () => {
  await database.run(
    sql`UPDATE jobs SET storage_key = 'Film.mp4' WHERE account_id = ${account} AND status = 'Processing'`,
  );
  await database.run(sql`
    INSERT INTO left_files (account_id, job_id, storage_key, location_id, left_at, try_at)
    SELECT account_id, id, storage_key, storage_location_id, 1, 1 FROM jobs
    WHERE account_id = ${account} AND status = 'Processing'`);
  const found = await brokenInvariants(database, day, account);
  expect(found.map(({ name }) => name)).toContain("left_files");
});

test("keys fails for one name of two accounts that have configured the same bucket", async () => {
  for (const [owner, key] of [
    [account, "Talk.mp4"],
    ["another", "Episode.mp4"],
  ]) {
    await database.run(
      sql`INSERT INTO storage_locations (account_id, endpoint, bucket) VALUES (${owner}, 'https://s3.example', ${account})`,
    );
    await database.run(sql`
      UPDATE jobs SET storage_key = 'Talk.mp4', storage_location_id = (
        SELECT id FROM storage_locations WHERE account_id = ${owner} AND bucket = ${account})
      WHERE account_id = ${account} AND storage_key = ${key}`);
  }
  const found = await brokenInvariants(database, day, account);
  expect(found.find(({ name }) => name === "keys")).toMatchObject({ rows: [{ subject: "Talk.mp4" }] });
});

test("credentials fails if a bucket's credentials were erased too early", async () => {
  const place = sql`account_id = ${account}`;
  await database.run(
    sql`INSERT INTO storage_locations (account_id, endpoint, bucket) VALUES (${account}, 'https://s3.example', 'own')`,
  );
  await database.run(
    sql`UPDATE jobs SET storage_location_id = (SELECT id FROM storage_locations WHERE ${place}) WHERE ${place}`,
  );
  const found = await brokenInvariants(database, day, account);
  expect(found.map(({ name }) => name)).toContain("credentials");
});

test("overdue_jobs fails for a job in progress past its deadline", async () => {
  const found = await brokenInvariants(database, day, account, clock.now + 1);
  expect(found.map(({ name }) => name)).toEqual(["overdue_jobs"]);
});

test("accounts fails for jobs without an account", async () => {
  await database.run(sql`DELETE FROM accounts WHERE id = ${account}`);
  const found = await brokenInvariants(database, day, account);
  expect(found.map(({ name }) => name)).toEqual(["accounts"]);
});

test("each invariant is broken by a test in this file", () => {
  const tested = new Set([...violations.map(([name]) => name), "credentials", "accounts", "overdue_jobs"]);
  expect(
    invariants({ firstDay: day, startedAfter: 0 })
      .map(({ name }) => name)
      .filter((name) => !tested.has(name)),
  ).toEqual([]);
});
