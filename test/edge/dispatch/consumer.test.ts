import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { Heartbeat } from "../../../contracts/heartbeat.ts";
import { defaultLimits } from "../../../contracts/limits.ts";
import type { Report } from "../../../contracts/report.ts";
import type { Task } from "../../../contracts/task.ts";
import { NodeTable } from "../../../edge/cluster/node-table.ts";
import { sweep } from "../../../edge/cluster/sweep.ts";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { dispatchJobs } from "../../../edge/dispatch/dispatch-jobs.ts";
import { consumeWakeUps } from "../../../edge/dispatch/jobs.consumer.ts";
import { createJobs } from "../../../edge/jobs/create-jobs.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import type { ProcessorClient } from "../../../edge/processor/processor-client.ts";
import { facts, timings } from "../support/made-file.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { silentLog } from "../support/silent-log.ts";
import { createBareAccount, newJob } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";

type Answer = (tasks: readonly Task[], address: string) => ReturnType<ProcessorClient["sendTasks"]>;

const accept: Answer = async (tasks) => ({
  results: tasks.map(({ job_id, claim }) => ({ job_id, claim, accepted: true })),
});
const refuse: Answer = async (tasks) => ({
  results: tasks.map(({ job_id, claim }) => ({ job_id, claim, accepted: false })),
});

const heartbeatOf = (nodeId: string, address: string, freeSlots: number): Heartbeat => ({
  node_id: nodeId,
  hostname: "host",
  address,
  sequence: 1,
  free_slots: freeSlots,
  draining: false,
  counts: { downloading: 0, muxing: 0, uploading: 0 },
  jobs: [],
});

let nodes = 0;

/**
 * A registry that the Worker's own consumer does not use, with nodes with this many free slots, and a separate
 * queue of jobs. The first node is at `http://0.example`.
 */
async function setUp(jobs: number, answer: Answer, freeSlots: number | readonly number[] = 8) {
  nodes += 1;
  const sent: Task[] = [];
  const clock = { now: Date.now() };
  const dependencies: Dependencies = {
    ...testDependencies(clock),
    registry: env.NODE_REGISTRY.getByName(`registry-${nodes}`),
    processors: {
      sendTasks: (address, { tasks }) => {
        sent.push(...tasks);
        return answer(tasks, address);
      },
      readShow: () => {
        throw new Error("These nodes read no shows");
      },
    },
  };
  await dependencies.database.run(sql`DELETE FROM jobs`);
  // Each job has an account of its own, which no limit concerns.
  for (let created = 0; created < jobs; created += 1)
    await createJobs(dependencies, {
      accountId: await createBareAccount(dependencies),
      jobs: [newJob(dependencies)],
      batch: null,
      keptAnswer: null,
    });
  for (const [index, slots] of [freeSlots].flat().entries())
    await dependencies.registry.heartbeat(
      heartbeatOf(index === 0 ? `node-${nodes}` : `node-${nodes}-${index}`, `http://${index}.example`, slots),
    );
  const statuses = async () => {
    const rows = await dependencies.database.all<{ status: string; jobs: number }>(
      sql`SELECT status, count(*) AS jobs FROM jobs GROUP BY status`,
    );
    return Object.fromEntries(rows.map(({ status, jobs: count }) => [status, count]));
  };
  return { clock, dependencies, sent, statuses };
}

test("due jobs go to free slots, no more than there are, with all that the node needs", async () => {
  const it = await setUp(10, accept, 6);
  await dispatchJobs(it.dependencies);
  expect(await it.statuses()).toEqual({ Pending: 4, Processing: 6 });
  expect(it.sent).toHaveLength(6);
  expect(it.sent[0]).toMatchObject({
    claim: 1,
    storage: { bucket: "ferry-media" },
    limits: { source_silence_ms: 60_000 },
    earlier: null,
  });
});

test("a job whose row cannot be read fails, and the other jobs are sent", async () => {
  const it = await setUp(4, accept);
  await it.dependencies.database.run(
    sql`UPDATE jobs SET options = json_set(options, '$.format', 'cassette') WHERE id = (SELECT min(id) FROM jobs)`,
  );
  await dispatchJobs({ ...it.dependencies, log: silentLog });
  expect(await it.statuses()).toEqual({ Failed: 1, Processing: 3 });
  expect(it.sent).toHaveLength(3);
  const failed = await it.dependencies.database.all(sql`SELECT error_code FROM jobs WHERE status = 'Failed'`);
  expect(failed).toEqual([{ error_code: "internal" }]);
});

const oneEach = Array.from({ length: 10 }, () => 1);
const nodeOfTenth = "http://7.example";

test("if one node of ten does not answer, nine have their jobs, and the tenth job stays claimed", async () => {
  const it = await setUp(
    10,
    (tasks, address) =>
      address === nodeOfTenth ? Promise.reject(new Error("connection refused")) : accept(tasks, address),
    oneEach,
  );
  await dispatchJobs(it.dependencies);
  expect(await it.statuses()).toEqual({ Processing: 10 });
  expect(await it.dependencies.registry.grantSlots(), "the tenth node is paused").toEqual([]);
});

test("a consumer that fails for one node of ten serves the other nine, and its messages are retried", async () => {
  const others = Promise.withResolvers<void>();
  const it = await setUp(
    10,
    async (tasks, address) => {
      if (address === nodeOfTenth) return refuse(tasks, address);
      await others.promise;
      return accept(tasks, address);
    },
    oneEach,
  );
  let isOver = false;
  let isPutBack = false;
  const acknowledged = vi.fn();
  const consume = (dependencies: Dependencies) => consumeWakeUps({ ackAll: acknowledged }, dependencies);
  // The tenth job cannot be requeued.
  const newToken = () => {
    isPutBack = it.sent.length === 10;
    if (isPutBack) throw new Error("no token to put it back");
    return it.dependencies.newToken();
  };
  const failing = consume({ ...it.dependencies, newToken }).finally(() => (isOver = true));
  const rejected = expect(failing).rejects.toThrow("no token to put it back");
  await vi.waitUntil(() => isPutBack, { timeout: 20_000 });
  for (let query = 0; query < 5; query += 1) await it.dependencies.database.run(sql`SELECT 1`);
  expect(isOver, "it does not leave the nine alone").toBe(false);
  others.resolve();
  await rejected;
  expect(acknowledged).not.toHaveBeenCalled();
  // The tenth is still claimed: the sweep has to find out that its node does not have it.
  expect(await it.statuses()).toEqual({ Processing: 10 });
  await consume(it.dependencies);
  expect(acknowledged).toHaveBeenCalledOnce();
});

test("duplicate, simultaneous and late messages give each job to one node", async () => {
  const it = await setUp(10, accept, [3, 3, 3, 3]);
  const consume = () => consumeWakeUps({ ackAll: () => undefined }, it.dependencies);
  await Promise.all([consume(), consume(), consume()]);
  await consume();
  expect(await it.statuses()).toEqual({ Processing: 10 });
  expect(new Set(it.sent.map(({ job_id }) => job_id)).size).toBe(10);
  expect(it.sent).toHaveLength(10);
});

test("a job refused by one node goes to another", async () => {
  const it = await setUp(
    1,
    (tasks, address) => (address === "http://0.example" ? refuse : accept)(tasks, address),
    [8, 1],
  );
  await dispatchJobs(it.dependencies);
  expect(await it.statuses()).toEqual({ Pending: 1 });
  await dispatchJobs(it.dependencies);
  expect(await it.statuses()).toEqual({ Processing: 1 });
});

test("a job that no node accepts fails at its deadline", async () => {
  const it = await setUp(1, refuse);
  it.clock.now += 1000;
  await it.dependencies.database.run(
    sql`UPDATE jobs SET started_at = ${it.clock.now - defaultLimits.jobTimeMs}`,
  );
  await dispatchJobs(it.dependencies);
  expect(await it.dependencies.database.all(sql`SELECT status, error_code FROM jobs`)).toEqual([
    { status: "Failed", error_code: "time_limit" },
  ]);
});

test("a refused job is requeued even if the registry cannot be told", async () => {
  const it = await setUp(2, refuse);
  const { registry } = it.dependencies;
  const dependencies = {
    ...it.dependencies,
    ...quietCluster({
      grantSlots: () => registry.grantSlots(),
      settleGrant: () => Promise.reject(new Error("The object was reset")),
      jobsMoved: async () => undefined,
    }),
  };
  await dispatchJobs(dependencies);
  expect(await it.statuses()).toEqual({ Pending: 2 });
});

test("a refused job is due again at once, and its claim is dead", async () => {
  const it = await setUp(2, refuse);
  await dispatchJobs(it.dependencies);
  expect(await it.statuses()).toEqual({ Pending: 2 });
  const rows = await it.dependencies.database.all<{ interruptions: number }>(
    sql`SELECT interruptions FROM jobs`,
  );
  expect(rows.every(({ interruptions }) => interruptions === 0)).toBe(true);
});

const reportsOf = ({ account_id, job_id, claim }: Task): Report[] => {
  const claimed = { account_id, job_id, claim };
  return [
    { ...claimed, kind: "reserve_key", title: "Talk", extension: "mp4", taken: null, sidecars: [] },
    { ...claimed, kind: "upload_started", upload_id: "upload" },
    { ...claimed, kind: "publish", facts },
    { ...claimed, kind: "completed", timings },
  ];
};

test("a node that refused its task is fenced, whatever it reports", async () => {
  const it = await setUp(1, refuse);
  await dispatchJobs(it.dependencies);
  const [task] = it.sent;
  if (task === undefined) throw new Error("No task was sent");
  const { account_id, job_id, claim } = task;
  const said: Report[] = [
    ...reportsOf(task),
    { account_id, job_id, claim, kind: "failed", code: "internal", detail: null },
    { account_id, job_id, claim, kind: "returned" },
  ];
  const tell = async () => {
    const request = { node_id: `node-${nodes}`, free_slots: 0, reports: said };
    return (await handleReports(it.dependencies, request)).results.map(({ outcome }) => outcome);
  };
  expect(await tell()).toEqual(said.map(() => "fenced"));
  expect(await it.statuses()).toEqual({ Pending: 1 });
  // Even if the next attempt is claimed for the same node.
  await claimJobs(it.dependencies, [{ nodeId: `node-${nodes}`, slots: 1 }]);
  expect(await tell()).toEqual(said.map(() => "fenced"));
  expect(await it.statuses()).toEqual({ Processing: 1 });
});

test("a node whose acceptance was lost completes its task", async () => {
  const it = await setUp(1, () => Promise.reject(new Error("no answer in time")));
  await dispatchJobs(it.dependencies);
  const reports = it.sent.flatMap(reportsOf);
  const said = await handleReports(it.dependencies, { node_id: `node-${nodes}`, free_slots: 0, reports });
  expect(said.results.map(({ outcome }) => outcome)).toEqual(reports.map(() => "accepted"));
  expect(await it.statuses()).toEqual({ Completed: 1 });
});

test("a job that kills each node before it answers fails after three, and no further node gets it", async () => {
  let died = 0;
  const it = await setUp(
    1,
    () => {
      died += 1;
      return Promise.reject(new Error("connection reset"));
    },
    [],
  );
  const { dependencies, clock } = it;
  const table = new NodeTable(dependencies.newId);
  const cluster = quietCluster({
    grantSlots: async () => table.grantSlots(clock.now),
    settleGrant: async (id, result) => table.settleGrant(id, result, clock.now),
    jobsMoved: async () => undefined,
  });
  const forgetful = { read: async () => new Map(), write: async () => undefined };
  for (let life = 1; life <= 5; life += 1) {
    table.hear(heartbeatOf(`life-${life}`, "http://one.example", 8), clock.now);
    await sweep({ ...dependencies, ...cluster }, table, forgetful);
    await dispatchJobs({ ...dependencies, ...cluster, log: silentLog });
    clock.now += 1000;
  }
  expect(died).toBe(3);
  expect(
    await dependencies.database.all(sql`SELECT status, error_code, interruptions, claim FROM jobs`),
  ).toEqual([{ status: "Failed", error_code: "interrupted", interruptions: 3, claim: 3 }]);
});

test("a node that does not answer is paused, and keeps its tasks until the sweep decides what became of them", async () => {
  const it = await setUp(2, () => Promise.reject(new Error("connection refused")));
  await dispatchJobs(it.dependencies);
  expect(await it.statuses()).toEqual({ Processing: 2 });
  expect(await it.dependencies.registry.grantSlots()).toEqual([]);
});
