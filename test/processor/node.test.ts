import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Task } from "../../contracts/task.ts";
import type { Dependencies } from "../../processor/dependencies.ts";
import { JobFailure } from "../../processor/pipeline/job.ts";
import { startFakeEdge, type FakeEdge } from "./fake-edge.ts";
import { sampleTask } from "./sample-task.ts";
import { makeNode, runOf, timings, until, type TestNode } from "./test-node.ts";

let edge: FakeEdge;
const nodes: TestNode[] = [];

beforeEach(async () => {
  edge = await startFakeEdge();
});
afterEach(async () => {
  edge.failWith = null;
  edge.beforeAnswer = async () => undefined;
  await Promise.all(nodes.map((node) => node.drain()));
  for (const node of nodes.splice(0)) await rm(dirname(node.workFolder), { recursive: true });
  await edge.close();
});

async function startNode(
  environment: Readonly<Record<string, string>> = {},
  nodeTimings?: Dependencies["timings"],
): Promise<TestNode> {
  const node = await makeNode(edge, environment, nodeTimings);
  await node.start();
  nodes.push(node);
  await until(() => edge.heartbeats.length > 0);
  return node;
}

const soonIsolated = { heartbeatMs: 20, isolatedAfterMs: 3000 };
const job = { account_id: "account-1", job_id: "job-1", claim: 1 };
const lastHeartbeat = () => edge.heartbeats.at(-1);
const heldJobs = () => lastHeartbeat()?.jobs.map(({ job_id, claim }) => `${job_id}:${claim}`);
const taskNumber = (number: number): Task => sampleTask({ job_id: `job-${number}` });

/** Waits for a heartbeat sent from now on. */
async function nextHeartbeat(): Promise<void> {
  const { length } = edge.heartbeats;
  await until(() => edge.heartbeats.length > length + 1);
}

test("a node identifies itself, with a rising sequence", async () => {
  const node = await startNode({ PROCESSOR_SLOTS: "3" });
  await until(() => edge.heartbeats.length > 3);
  expect(edge.heartbeats[0]).toMatchObject({
    hostname: "test-host",
    address: node.address,
    free_slots: 3,
    jobs: [],
  });
  const sequences = edge.heartbeats.map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index));
  expect(edge.unsigned).toEqual([]);
});

test("a posted task is run, listed and counted by its step, and reported completed; then its slot is free", async () => {
  const node = await startNode({ PROCESSOR_SLOTS: "2" });
  const answer = await edge.postTasks(node.address, [sampleTask()]);
  expect(answer).toEqual({ results: [{ job_id: "job-1", claim: 1, accepted: true }] });
  const run = await runOf(node, 0);
  const progress = {
    percent: 40,
    bytes_downloaded: 5,
    bytes_total: 9,
    speed_bytes_per_second: 2,
    eta_seconds: 2,
  };
  run.link.stepReached("Muxing");
  run.link.progressMade(progress);
  await until(() => lastHeartbeat()?.counts.muxing === 1);
  expect(lastHeartbeat()).toMatchObject({ free_slots: 1, jobs: [{ ...job, step: "Muxing", progress }] });

  run.complete();
  await until(() => edge.reports().length > 0);
  expect(edge.reports()).toEqual([{ ...job, kind: "completed", timings }]);
  await until(() => lastHeartbeat()?.free_slots === 2);
  expect(lastHeartbeat()?.jobs).toEqual([]);
});

test("the edge's answers to a job's requests reach the job, and each request is numbered", async () => {
  const node = await startNode();
  await edge.postTasks(node.address, [sampleTask()]);
  const { link } = await runOf(node, 0);
  const key = await link.reserveKey({ title: "A title", extension: "mp4", taken: null, sidecars: [] });
  expect(key).toEqual({ storageKey: "A title.mp4", objectKey: "account-1/job-1/A title.mp4" });
  await link.uploadStarted("upload-1");
  expect(edge.reports()).toEqual([
    {
      ...job,
      sequence: 1,
      kind: "reserve_key",
      title: "A title",
      extension: "mp4",
      taken: null,
      sidecars: [],
    },
    { ...job, sequence: 2, kind: "upload_started", upload_id: "upload-1" },
  ]);
});

test("a failure is reported with its code, any other error as internal, with the cause only in the log", async () => {
  const node = await startNode();
  await edge.postTasks(node.address, [taskNumber(1), taskNumber(2)]);
  (await runOf(node, 0)).fail(new JobFailure("too_large", "51 GiB"));
  (await runOf(node, 1)).fail(new Error("a mistake of ours"));
  await until(() => edge.reports().length === 2);
  expect(edge.reports()).toMatchObject([
    { job_id: "job-1", kind: "failed", code: "too_large", detail: "51 GiB" },
    { job_id: "job-2", kind: "failed", code: "internal", detail: null },
  ]);
  expect(node.logged).toContainEqual(
    expect.objectContaining({
      job_id: "job-2",
      account_id: "account-1",
      claim: 1,
      err: expect.objectContaining({ message: "a mistake of ours" }),
    }),
  );
});

test("a task sent twice is accepted twice and run once, even after its end", async () => {
  const node = await startNode();
  const accepted = { results: [{ job_id: "job-1", claim: 1, accepted: true }] };
  expect(await edge.postTasks(node.address, [sampleTask()])).toEqual(accepted);
  expect(await edge.postTasks(node.address, [sampleTask()])).toEqual(accepted);
  (await runOf(node, 0)).complete();
  await until(() => edge.reports().length > 0 && heldJobs()?.length === 0);
  expect(await edge.postTasks(node.address, [sampleTask()])).toEqual(accepted);
  await nextHeartbeat();
  expect([node.runs.length, heldJobs()]).toEqual([1, []]);
});

test("a node without a free slot refuses", async () => {
  const node = await startNode({ PROCESSOR_SLOTS: "1" });
  const { results } = await edge.postTasks(node.address, [taskNumber(1), taskNumber(2)]);
  expect(results.map(({ accepted }) => accepted)).toEqual([true, false]);
  expect(node.runs.length).toBe(1);
});

test("a task that this version cannot parse is refused alone, or returned, and logged with the edge's request id", async () => {
  const node = await startNode({ PROCESSOR_SLOTS: "3" });
  const unreadable = (number: number) => {
    const task = taskNumber(number);
    return { ...task, options: { ...task.options, format: "not known yet" } };
  };
  const { results } = await edge.postTasks(node.address, [unreadable(1), taskNumber(2)]);
  expect(results.map(({ job_id, accepted }) => [job_id, accepted])).toEqual([
    ["job-1", false],
    ["job-2", true],
  ]);

  edge.tasksFor = ({ reports }) =>
    reports.some(({ kind }) => kind === "completed") ? [unreadable(3), taskNumber(4)] : [];
  (await runOf(node, 0)).complete();
  const taken = await runOf(node, 1);
  expect(taken.task.job_id).toBe("job-4");
  await until(() => edge.reports().length > 1);
  expect(edge.reports()).toMatchObject([
    { job_id: "job-2", kind: "completed" },
    { job_id: "job-3", kind: "returned" },
  ]);
  const lineOf = (job_id: string) => node.logged.find((line) => line["job_id"] === job_id);
  expect(lineOf("job-3")).toMatchObject({ level: "warn", request_id: "request-1" });
  expect(lineOf("job-4")).toMatchObject({ message: "job accepted", request_id: "request-1" });
});

test("a newer claim of a job first stops the older run, which reports nothing", async () => {
  const node = await startNode();
  await edge.postTasks(node.address, [sampleTask()]);
  const older = await runOf(node, 0);
  const { results } = await edge.postTasks(node.address, [sampleTask({ claim: 2 })]);
  expect(results).toEqual([{ job_id: "job-1", claim: 2, accepted: true }]);
  const newer = await runOf(node, 1);
  expect([older.signal.aborted, newer.signal.aborted]).toEqual([true, false]);
  const late = await edge.postTasks(node.address, [sampleTask({ claim: 1 })]);
  newer.complete();
  await until(() => edge.reports().length > 0);
  expect(edge.reports()).toEqual([{ ...job, claim: 2, kind: "completed", timings }]);
  expect([late.results[0]?.accepted, node.runs.length]).toEqual([true, 2]);
});

test("an older claim than the current one is refused", async () => {
  const node = await startNode();
  await edge.postTasks(node.address, [sampleTask({ claim: 5 })]);
  const { results } = await edge.postTasks(node.address, [sampleTask({ claim: 4 })]);
  expect(results[0]?.accepted).toBe(false);
  expect((await runOf(node, 0)).signal.aborted).toBe(false);
});

test("a fenced answer stops the job, which reports nothing more", async () => {
  const node = await startNode();
  await edge.postTasks(node.address, [sampleTask()]);
  const run = await runOf(node, 0);
  edge.answerReport = ({ job_id }) => ({ job_id, outcome: "fenced", key: null });
  await expect(run.link.uploadStarted("upload-1")).rejects.toThrow("the job was dropped");
  expect(run.signal.aborted).toBe(true);
  await until(() => heldJobs()?.length === 0);
  expect(edge.reports().map(({ kind }) => kind)).toEqual(["upload_started"]);
});

test("a cancel in a heartbeat's answer stops only that claim", async () => {
  const node = await startNode();
  await edge.postTasks(node.address, [taskNumber(1), taskNumber(2)]);
  const [first, second] = [await runOf(node, 0), await runOf(node, 1)];
  edge.cancel = [
    { ...job, job_id: "job-1" },
    { ...job, job_id: "job-2", claim: 7 },
  ];
  await until(() => first.signal.aborted);
  await until(() => heldJobs()?.join() === "job-2:1");
  expect([second.signal.aborted, edge.reports()]).toEqual([false, []]);
});

test("an end is reported until it is acknowledged, and the job stays listed until then", async () => {
  const node = await startNode({ PROCESSOR_SLOTS: "1" });
  await edge.postTasks(node.address, [sampleTask()]);
  let refusals = 0;
  edge.failWith = (path) => {
    if (!path.endsWith("reports") || refusals === 3) return null;
    refusals += 1;
    return 503;
  };
  (await runOf(node, 0)).complete();
  await until(() => refusals > 1);
  await nextHeartbeat();
  expect(heldJobs()).toEqual(["job-1:1"]);
  await until(() => heldJobs()?.length === 0);
  expect([refusals, edge.reports().length]).toEqual([3, 1]);
});

test("the answer to a job's end contains the next task, which takes the freed slot", async () => {
  const node = await startNode({ PROCESSOR_SLOTS: "1" });
  await edge.postTasks(node.address, [taskNumber(1)]);
  edge.tasksFor = ({ free_slots }) => (node.runs.length === 1 && free_slots === 1 ? [taskNumber(2)] : []);
  (await runOf(node, 0)).complete();
  const second = await runOf(node, 1);
  expect([second.task.job_id, edge.requests[0]?.free_slots]).toEqual(["job-2", 1]);
});

test("a freed slot that stays empty is announced at once if the edge believes that the node is full", async () => {
  const node = await makeNode(
    edge,
    { PROCESSOR_SLOTS: "1" },
    { heartbeatMs: 600_000, isolatedAfterMs: 600_000 },
  );
  nodes.push(node);
  await node.start();
  await until(() => edge.heartbeats.length === 1);
  await edge.postTasks(node.address, [sampleTask()]);
  (await runOf(node, 0)).complete();
  await until(() => edge.heartbeats.length === 2);
  expect(lastHeartbeat()).toMatchObject({ free_slots: 1, jobs: [] });
});

test("a surplus task in an answer is returned", async () => {
  const node = await startNode({ PROCESSOR_SLOTS: "1" });
  await edge.postTasks(node.address, [taskNumber(1)]);
  edge.tasksFor = () => (node.runs.length === 1 ? [taskNumber(2), taskNumber(3)] : []);
  (await runOf(node, 0)).complete();
  await until(() => edge.reports().length === 2);
  expect(edge.reports()[1]).toEqual({ ...job, job_id: "job-3", kind: "returned" });
});

test("reports made during a request are sent together in the next", async () => {
  const node = await startNode({ PROCESSOR_SLOTS: "9" });
  await edge.postTasks(node.address, [1, 2, 3, 4, 5].map(taskNumber));
  await until(() => node.runs.length === 5);
  const gate = Promise.withResolvers<void>();
  edge.beforeAnswer = async (path) => (path.endsWith("reports") ? gate.promise : undefined);
  node.runs[0]?.complete();
  await until(() => edge.requests.length === 1);
  for (const run of node.runs.slice(1)) run.complete();
  await nextHeartbeat();
  expect(edge.requests.length).toBe(1);
  gate.resolve();
  await until(() => edge.requests.length === 2);
  expect(edge.requests.map(({ reports }) => reports.length)).toEqual([1, 4]);
});

test("a node is ready once the edge knows it", async () => {
  edge.failWith = () => 500;
  const node = await makeNode(edge);
  nodes.push(node);
  await node.start();
  const ready = async () => (await fetch(`${node.address}/ready`)).status;
  expect(await ready()).toBe(503);
  edge.failWith = null;
  await expect.poll(ready).toBe(200);
});

test("a node that the edge does not answer stops every job, and returns them when it is heard again", async () => {
  const node = await startNode({}, soonIsolated);
  await edge.postTasks(node.address, [sampleTask()]);
  const run = await runOf(node, 0);
  edge.failWith = () => 500;
  await until(() => run.signal.aborted);
  await until(() =>
    node.logged.some(
      ({ message }) => message === "the edge has not answered for too long, stopping every job",
    ),
  );
  const { results } = await edge.postTasks(node.address, [taskNumber(2)]);
  expect(results[0]?.accepted).toBe(false);
  expect(await (await fetch(`${node.address}/health`)).json()).toMatchObject({ status: "isolated" });

  edge.failWith = null;
  await until(() => edge.reports().length > 0);
  expect(edge.reports()).toEqual([{ ...job, kind: "returned" }]);
  await until(() => heldJobs()?.length === 0 && lastHeartbeat()?.free_slots !== 0);
});

test("a request that the edge does not answer ends when the job is aborted", async () => {
  const node = await startNode({}, soonIsolated);
  await edge.postTasks(node.address, [sampleTask()]);
  const { link } = await runOf(node, 0);
  edge.failWith = () => 500;
  await expect(link.reserveKey({ title: null, extension: "mp4", taken: null, sidecars: [] })).rejects.toThrow(
    "the job was returned",
  );
  edge.failWith = null;
  await until(() => edge.reports().length > 0);
  expect(edge.reports().map(({ kind }) => kind)).toEqual(["returned"]);
});

test("a heartbeat waiting for its answer does not delay reports", async () => {
  const node = await startNode();
  await edge.postTasks(node.address, [sampleTask()]);
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  edge.beforeAnswer = async (path) => {
    if (!path.endsWith("heartbeat")) return;
    waiting += 1;
    await gate.promise;
  };
  await until(() => waiting === 1);
  (await runOf(node, 0)).complete();
  await until(() => edge.reports().length > 0);
  expect(waiting).toBe(1);
  gate.resolve();
  await nextHeartbeat();
});

test("a node with a wrong clock learns the edge's time from the first answer", async () => {
  edge.clockAheadMs = -3_600_000;
  const node = await startNode();
  expect(edge.unsigned.length).toBe(1);
  const { results } = await edge.postTasks(node.address, [sampleTask()]);
  expect(results[0]?.accepted).toBe(true);
});

test("draining lets jobs finish within the grace period", async () => {
  const node = await startNode({ DRAIN_GRACE_MS: "30000" });
  await edge.postTasks(node.address, [sampleTask()]);
  const run = await runOf(node, 0);
  const drained = node.drain();
  await until(() => lastHeartbeat()?.draining === true);
  expect(lastHeartbeat()?.free_slots).toBe(0);
  const { results } = await edge.postTasks(node.address, [taskNumber(2)]);
  expect(results[0]?.accepted).toBe(false);
  expect(await (await fetch(`${node.address}/health`)).json()).toMatchObject({ status: "draining", jobs: 1 });
  run.complete();
  expect(await drained).toBe(true);
  expect(edge.reports()).toEqual([{ ...job, kind: "completed", timings }]);
});

test("draining returns jobs that exceed the grace period, and leaves no folder and no port", async () => {
  const node = await startNode();
  await edge.postTasks(node.address, [taskNumber(1), taskNumber(2)]);
  await until(() => node.runs.length === 2);
  expect(await node.drain()).toBe(true);
  expect(edge.requests.map(({ free_slots }) => free_slots)).toEqual([0]);
  expect(edge.reports()).toEqual([
    { ...job, kind: "returned" },
    { ...job, job_id: "job-2", kind: "returned" },
  ]);
  expect(existsSync(node.workFolder)).toBe(false);
  await expect(fetch(`${node.address}/health`)).rejects.toThrow("fetch failed");
});

test("a node that starts empties its own folder, but no other node's", async () => {
  const node = await makeNode(edge);
  const neighbour = join(node.workFolder, "..", "node-1");
  for (const folder of [node.workFolder, neighbour]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "left-behind.mp4"), "media");
  }
  await node.start();
  nodes.push(node);
  expect([await readdir(node.workFolder), await readdir(neighbour)]).toEqual([[], ["left-behind.mp4"]]);
});

test("a node whose port is in use does not touch the other node's files", async () => {
  const first = await startNode();
  await writeFile(join(first.workFolder, "in-use.mp4"), "media");
  const second = await makeNode(edge, {
    PORT: new URL(first.address).port,
    WORK_DIR: join(first.workFolder, ".."),
  });
  await expect(second.start()).rejects.toThrow("EADDRINUSE");
  expect(await readdir(first.workFolder)).toEqual(["in-use.mp4"]);
});

test("an edge that is unavailable at the start is retried without an error", async () => {
  const messages = (node: TestNode) =>
    node.logged.map(({ level, message }) => `${String(level)}: ${String(message)}`);
  const unreachable = { url: "http://127.0.0.1:9" };
  const node = await makeNode(unreachable);
  await node.start();
  nodes.push(node);
  await until(() => node.logged.some(({ level }) => level === "warn"));
  expect(messages(node).filter((line) => line.startsWith("warn"))).toEqual([
    "warn: the edge cannot be reached or refuses this node, retrying",
  ]);

  edge.failWith = () => 503;
  const late = await makeNode(edge);
  await late.start();
  nodes.push(late);
  await until(() => late.logged.some(({ level }) => level === "warn"));
  edge.failWith = null;
  await until(() => messages(late).includes("info: connected to the edge"));
});

test("no credential of a task is ever logged", async () => {
  const node = await startNode();
  await edge.postTasks(node.address, [sampleTask()]);
  (await runOf(node, 0)).fail(new JobFailure("storage_error", null, { cause: sampleTask() }));
  await until(() => edge.reports().length > 0);
  const text = JSON.stringify(node.logged);
  expect(text).toContain("job failed");
  expect(text).not.toContain(sampleTask().storage.secret_access_key);
  expect(text).not.toContain(sampleTask().storage.access_key_id);
});
