import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Heartbeat } from "../../../contracts/heartbeat.ts";
import {
  defaultLimits,
  missingAfterHeartbeats,
  missingAfterMs,
  nodeLostAfterMs,
} from "../../../contracts/limits.ts";
import { jobsInWork } from "../../../edge/cluster/jobs-in-work.store.ts";
import { NodeTable } from "../../../edge/cluster/node-table.ts";
import type { RememberedNodes } from "../../../edge/cluster/remembered-node.ts";
import { type NodeMemory, sweep } from "../../../edge/cluster/sweep.ts";
import type { WakeUp } from "../../../edge/dependencies.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { createJobs } from "../../../edge/jobs/create-jobs.store.ts";
import { insertManyJobs } from "../support/many-jobs.ts";
import { silentLog } from "../support/silent-log.ts";
import { createBareAccount, newJob } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";

const queued = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
const withoutUse: Queue<WakeUp> = {
  metrics: () => Promise.reject(new Error("The sweep asks for no metrics")),
  send: () => Promise.resolve(queued),
  sendBatch: () => Promise.reject(new Error("The sweep sends single messages")),
};

async function setUp() {
  const clock = { now: Date.UTC(2026, 0, 31, 12) };
  const sent: WakeUp[] = [];
  const real = testDependencies(clock);
  const dependencies: typeof real = {
    ...real,
    wakeUps: {
      ...withoutUse,
      send: async (message) => {
        sent.push(message);
        return queued;
      },
    },
  };
  await dependencies.database.run(sql`DELETE FROM jobs`);
  const accountId = await createBareAccount(dependencies);
  const job = newJob(dependencies);
  await createJobs(dependencies, { accountId, jobs: [job], batch: null, keptAnswer: null });
  sent.length = 0;

  let stored: RememberedNodes = new Map();
  const memory: NodeMemory = {
    read: async () => stored,
    write: async (nodes) => {
      stored = nodes;
    },
  };
  const statusOf = async () => {
    const [row] = await dependencies.database.all<{
      status: string;
      interruptions: number;
      error_code: string;
    }>(sql`SELECT status, interruptions, error_code FROM jobs WHERE id = ${job.id}`);
    return row;
  };
  const heartbeatOf = (nodeId: string, sequence: number): Heartbeat => ({
    node_id: nodeId,
    hostname: nodeId,
    address: `http://${nodeId}`,
    sequence,
    free_slots: 4,
    draining: false,
    counts: { downloading: 0, muxing: 0, uploading: 0 },
    jobs: [],
  });
  const newTable = () => new NodeTable(dependencies.newId);
  return { clock, dependencies, sent, memory, statusOf, heartbeatOf, newTable, job, accountId };
}

test("a due job gets another wake-up if there are free slots, and waits otherwise", async () => {
  const it = await setUp();
  const nodes = it.newTable();
  expect(await sweep(it.dependencies, nodes, it.memory)).toEqual({ unfinished: true, starved: true });
  expect(it.sent).toEqual([]);
  nodes.hear(it.heartbeatOf("node-a", 1), it.clock.now);
  await sweep(it.dependencies, nodes, it.memory);
  expect(it.sent).toEqual([{ reason: "sweep" }]);
});

test("the job of a silent node is requeued", async () => {
  const it = await setUp();
  const nodes = it.newTable();
  nodes.hear(it.heartbeatOf("node-a", 1), it.clock.now);
  await claimJobs(it.dependencies, [{ nodeId: "node-a", slots: 1 }]);
  await sweep(it.dependencies, nodes, it.memory);
  expect(await it.statusOf()).toMatchObject({ status: "Processing" });
  it.clock.now += nodeLostAfterMs;
  await sweep(it.dependencies, nodes, it.memory);
  expect(await it.statusOf()).toMatchObject({ status: "Pending", interruptions: 1 });
});

test("a task lost on its way to a live node never counts as an interruption, until the job's deadline", async () => {
  const it = await setUp();
  const nodes = it.newTable();
  let sequence = 0;
  const beat = () => nodes.hear(it.heartbeatOf("node-a", (sequence += 1)), it.clock.now);
  for (let loss = 1; loss <= 5; loss += 1) {
    const [claimed = []] = await claimJobs(it.dependencies, [{ nodeId: "node-a", slots: 1 }]);
    expect(claimed.map(({ claim }) => claim)).toEqual([loss]);
    it.clock.now += missingAfterMs;
    for (let heard = 0; heard <= missingAfterHeartbeats; heard += 1) {
      beat();
      await sweep(it.dependencies, nodes, it.memory);
    }
    expect(await it.statusOf()).toMatchObject({ status: "Pending", interruptions: 0 });
    // The node is paused for longer each time, and waited for.
    expect(await sweep(it.dependencies, nodes, it.memory)).toMatchObject({ unfinished: true });
    it.clock.now += 10_000;
  }
  await claimJobs(it.dependencies, [{ nodeId: "node-a", slots: 1 }]);
  it.clock.now += defaultLimits.jobTimeMs;
  beat();
  await sweep(it.dependencies, nodes, it.memory);
  expect(await it.statusOf()).toMatchObject({ status: "Failed", error_code: "time_limit" });
});

test("a registry that lost its state gives a node the full time before it is lost, however often it is evicted", async () => {
  const it = await setUp();
  await claimJobs(it.dependencies, [{ nodeId: "node-a", slots: 1 }]);
  await sweep(it.dependencies, it.newTable(), it.memory);
  it.clock.now += nodeLostAfterMs - 1;
  await sweep(it.dependencies, it.newTable(), it.memory);
  expect(await it.statusOf()).toMatchObject({ status: "Processing" });
  it.clock.now += 1;
  await sweep(it.dependencies, it.newTable(), it.memory);
  expect(await it.statusOf()).toMatchObject({ status: "Pending", interruptions: 1 });
});

test("the memory of nodes is written when it changes, and not at every sweep", async () => {
  const it = await setUp();
  let writes = 0;
  const memory: NodeMemory = {
    read: () => it.memory.read(),
    write: (nodes) => {
      writes += 1;
      return it.memory.write(nodes);
    },
  };
  const nodes = it.newTable();
  const sweepAt = async (now: number) => {
    it.clock.now = now;
    await sweep(it.dependencies, nodes, memory);
    return writes;
  };
  const start = it.clock.now;
  nodes.hear(it.heartbeatOf("node-a", 1), start);
  expect(await sweepAt(start)).toBe(1);
  nodes.hear(it.heartbeatOf("node-a", 2), start + 5000);
  expect(await sweepAt(start + 5000)).toBe(1);
  expect(await sweepAt(start + 10_000)).toBe(2);
  expect(await sweepAt(start + 15_000)).toBe(2);
});

test("a job past its deadline fails even if its node does not stop it", async () => {
  const it = await setUp();
  const nodes = it.newTable();
  await claimJobs(it.dependencies, [{ nodeId: "node-a", slots: 1 }]);
  it.clock.now += defaultLimits.jobTimeMs + 61_000;
  nodes.hear(it.heartbeatOf("node-a", 1), it.clock.now);
  await sweep(it.dependencies, nodes, it.memory);
  expect(await it.statusOf()).toMatchObject({ status: "Failed", error_code: "time_limit" });
  expect(await sweep(it.dependencies, nodes, it.memory)).toEqual({ unfinished: false, starved: false });
});

test("a node that held thousands of jobs is lost like any other", async () => {
  const it = await setUp();
  const { dependencies, accountId } = it;
  await insertManyJobs(dependencies, accountId, { count: 10_400, prefix: "00000000-0000" });
  // Dated today, because the Worker's own sweep would fail jobs that seem to have run for months.
  const today = Date.now();
  await dependencies.database.run(sql`
    UPDATE jobs SET claim = 1, node_id = 'node-a', claimed_at = ${today}, started_at = ${today}
    WHERE status = 'Processing'`);
  const nodes = it.newTable();
  nodes.hear(it.heartbeatOf("node-a", 1), it.clock.now - nodeLostAfterMs);
  await sweep(dependencies, nodes, it.memory);
  expect(await jobsInWork(dependencies)).toEqual([]);
  expect(
    await dependencies.database.all(
      sql`SELECT count(*) AS jobs FROM jobs WHERE interruptions = 1 AND status = 'Pending'`,
    ),
  ).toEqual([{ jobs: 2600 }]);
});

test("thousands of jobs in as many batches fail at their deadline, and their batches end", async () => {
  const it = await setUp();
  const { dependencies, accountId } = it;
  await insertManyJobs(dependencies, accountId, { count: 4000, prefix: "00000000-0001" });
  const isInWork = sql`status = 'Processing' AND account_id = ${accountId}`;
  await dependencies.database.run(sql`
    INSERT INTO batches (account_id, id, folder, status, total, created_at)
    SELECT account_id, id, '', 'processing', 1, 0 FROM jobs WHERE ${isInWork}`);
  await dependencies.database.run(sql`
    UPDATE jobs SET batch_id = id, claim = 1, node_id = 'node-a', claimed_at = 0, started_at = 0 WHERE ${isInWork}`);
  await sweep(dependencies, it.newTable(), it.memory);
  expect(await jobsInWork(dependencies)).toEqual([]);
  expect(
    await dependencies.database.all(
      sql`SELECT status, count(*) AS batches FROM batches WHERE account_id = ${accountId} GROUP BY status`,
    ),
  ).toEqual([{ status: "finished", batches: 1000 }]);
});

test("a step of tidying up that fails is logged, and neither keeps the others from being done nor a container from being woken", async () => {
  const it = await setUp();
  const { database } = it.dependencies;
  await database.run(
    sql`INSERT INTO idempotency_keys (account_id, key, request, answer, created_at) VALUES (${it.accountId}, 'old', '', '', 0)`,
  );
  await database.run(sql`
    INSERT INTO storage_locations (account_id, endpoint, bucket, region, access_key_id, secret_access_key, check_at)
    VALUES (${it.accountId}, 'https://s3.example', 'former', 'auto', 'id', 'secret', 1)`);
  await database.run(sql`ALTER TABLE day_counts RENAME TO day_counts_away`);
  const failed: unknown[] = [];
  const log = { ...silentLog, error: (_message: string, fields: object = {}) => failed.push(fields) };
  try {
    const outcome = await sweep({ ...it.dependencies, log }, it.newTable(), it.memory);
    expect(outcome).toEqual({ unfinished: true, starved: true });
  } finally {
    await database.run(sql`ALTER TABLE day_counts_away RENAME TO day_counts`);
  }
  expect(failed).toMatchObject([{ step: "old_days" }]);
  expect(await database.all(sql`SELECT 1 FROM idempotency_keys WHERE key = 'old'`)).toEqual([]);
  expect(
    await database.all(sql`SELECT 1 FROM storage_locations WHERE bucket = 'former' AND check_at = 1`),
  ).toEqual([]);
});
