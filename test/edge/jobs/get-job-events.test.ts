import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import type { Heartbeat } from "../../../contracts/heartbeat.ts";
import type { Task } from "../../../contracts/task.ts";
import type { NodeRegistry } from "../../../edge/cluster/node-registry.object.ts";
import { wait } from "../../../edge/wait.ts";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { createTestAccount, createTestApi, type TestApi } from "../support/test-api.ts";

/** A new stub each time: one whose object has failed stays broken. */
const registry = () => env.NODE_REGISTRY.get(env.NODE_REGISTRY.idFromName("cluster"));

/** Added to the clock, so that a test can let minutes pass; waits end early, and the code then checks the clock. */
let passed = 0;
let api: TestApi;
beforeEach(async () => {
  passed = 0;
  const clock = () => Date.now() + passed;
  api = await createTestApi({ clock, wait: (ms, signal) => wait(Math.min(ms, 10), signal) });
  Object.defineProperty(api.dependencies, "registry", { get: registry });
});

const createJob = async (): Promise<string> =>
  (await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } })).body.job_id;

async function claim(jobId: string): Promise<Task> {
  const task = (await claimAll(api.dependencies)).find(({ job_id }) => job_id === jobId);
  if (task === undefined) throw new Error("The job was not claimed");
  return task;
}

let sequence = 0;
/** What the node simulated by finish-job.ts would send about its task. */
async function beat(
  { account_id, job_id, claim: number }: Task,
  step: "Downloading" | "Muxing",
  percent: number,
) {
  sequence += 1;
  const progress = { bytes_downloaded: 0, bytes_total: null, speed_bytes_per_second: 0, eta_seconds: null };
  const heartbeat: Heartbeat = {
    node_id: "test-node",
    hostname: "test",
    address: "http://test-node",
    sequence,
    free_slots: 0,
    draining: false,
    counts: { downloading: 1, muxing: 0, uploading: 0 },
    jobs: [{ account_id, job_id, claim: number, step, progress: { percent, ...progress } }],
  };
  await registry().heartbeat(heartbeat);
}

const watchersOf = (jobId: string) =>
  runInDurableObject(registry(), (instance: NodeRegistry) => instance.watchers.count(jobId));
const haveWatchers = (jobId: string, count: number) =>
  vi.waitFor(async () => expect(await watchersOf(jobId)).toBe(count), { timeout: 20_000 });

type Events = Awaited<ReturnType<TestApi["follow"]>>;
const next = async (events: Events) => {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return null;
    if (value.id !== null) return { id: value.id, ...value.data };
  }
};

it("follows a job from the queue to its file, and closes", async () => {
  const id = await createJob();
  const events = await api.follow(id);
  expect(await next(events)).toMatchObject({ id, status: "Pending", step: "Queued" });
  await haveWatchers(id, 1);

  const task = await claim(id);
  await beat(task, "Downloading", 10);
  expect(await next(events)).toMatchObject({ status: "Processing", progress: { percent: 10 }, attempt: 1 });
  await beat(task, "Muxing", 60);
  expect(await next(events)).toMatchObject({ step: "Muxing", progress: { percent: 60 } });
  await finishTask(api.dependencies, task);
  const end = await next(events);
  expect(end).toMatchObject({ status: "Completed", progress: null, storage_key: "Talk.mp4" });
  expect(end.storage_url).toMatch(/^https:/);
  expect(await next(events)).toBeNull();
  await haveWatchers(id, 0);
});

it("notifies many watchers of a job of its end, and not of other jobs", async () => {
  const [id, other] = [await createJob(), await createJob()];
  const all = await Promise.all(Array.from({ length: 20 }, () => api.follow(id)));
  const others = await api.follow(other);
  for (const events of [...all, others]) expect(await next(events)).toMatchObject({ status: "Pending" });
  await haveWatchers(id, 20);
  await api.call("DELETE", `/jobs/${id}`);
  for (const events of all) {
    expect(await next(events)).toMatchObject({ status: "Failed", error: "Job cancelled by user" });
    expect(await next(events)).toBeNull();
  }
  await haveWatchers(id, 0);
  expect(await watchersOf(other)).toBe(1);
  await others.return(undefined);
});

it("leaves nothing behind when its reader disconnects", async () => {
  const id = await createJob();
  const events = await api.follow(id);
  await next(events);
  await haveWatchers(id, 1);
  await events.return(undefined);
  await haveWatchers(id, 0);
});

it("removes a watcher that died without leaving, with the next sweep", async () => {
  const stream = await registry().watchJob("a job", "a watcher");
  await haveWatchers("a job", 1);
  await stream.cancel();
  await runInDurableObject(registry(), (instance: NodeRegistry) => instance.alarm());
  await haveWatchers("a job", 0);
});

it("continues after the registry has lost its state", async () => {
  const id = await createJob();
  const events = await api.follow(id);
  await next(events);
  await haveWatchers(id, 1);
  await expect(
    runInDurableObject(registry(), (_, state) => {
      state.abort("evicted");
    }),
  ).rejects.toThrow();
  const coming = next(events);
  passed += 10_000;
  await haveWatchers(id, 1);
  await beat(await claim(id), "Downloading", 5);
  expect(await coming).toMatchObject({ status: "Processing" });
  await events.return(undefined);
});

it("sends an ended job once, whatever was seen before, and closes", async () => {
  const id = await createJob();
  await api.call("DELETE", `/jobs/${id}`);
  const events = await api.follow(id, { "last-event-id": "0.0" });
  expect(await next(events)).toMatchObject({ id, status: "Failed" });
  expect(await next(events)).toBeNull();
});

it("does not resend progress that its reader has seen", async () => {
  const id = await createJob();
  const task = await claim(id);
  await beat(task, "Downloading", 10);
  const before = await api.follow(id);
  const { value } = await before.next();
  expect(value).toMatchObject({ id: `1.${sequence}`, data: { progress: { percent: 10 } } });
  await before.return(undefined);
  const events = await api.follow(id, { "last-event-id": value?.id ?? "" });
  const coming = next(events);
  await haveWatchers(id, 1);
  await beat(task, "Downloading", 20);
  expect(await coming).toMatchObject({ progress: { percent: 20 } });
  await events.return(undefined);
});

it("ends when its key is revoked", async () => {
  const id = await createJob();
  const events = await api.follow(id);
  await next(events);
  const { database, clock } = api.dependencies;
  await database.run(sql`UPDATE api_keys SET revoked_at = ${clock()} WHERE account_id = ${api.account.id}`);
  const coming = next(events);
  passed += 40_000;
  expect(await coming).toBeNull();
});

it("gives the same response for an unknown job and another account's", async () => {
  const other = await createTestAccount(api.dependencies);
  const headers = { "x-api-key": other.key };
  const theirs = await api.send("GET", `/jobs/${await createJob()}/events`, { headers });
  const none = await api.call("GET", "/jobs/00000000-0000-0000-0000-000000000001/events");
  for (const { status, body } of [theirs, none]) expect([status, body.error]).toEqual([404, "Job not found"]);
  expect((await api.call("GET", "/jobs/7/events")).body.error).toBe("Invalid job id");
});
