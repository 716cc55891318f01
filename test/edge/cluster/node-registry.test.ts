import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { Heartbeat } from "../../../contracts/heartbeat.ts";
import type { NodeRegistry } from "../../../edge/cluster/node-registry.object.ts";
import type { Env } from "../../../edge/dependencies.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { createJobs } from "../../../edge/jobs/create-jobs.store.ts";
import { createBareAccount, newJob } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";

const dependencies = testDependencies({ now: Date.now() });

const heartbeatOf = (nodeId: string, sequence = 1, freeSlots = 4): Heartbeat => ({
  node_id: nodeId,
  hostname: nodeId,
  address: `http://${nodeId}`,
  sequence,
  free_slots: freeSlots,
  draining: false,
  counts: { downloading: 0, muxing: 0, uploading: 0 },
  jobs: [],
});

/** Runs something in a registry of its own, with other bindings. */
function inRegistry<Found>(
  name: string,
  bindings: Partial<Env>,
  run: (registry: NodeRegistry) => Promise<Found>,
): Promise<Found> {
  return runInDurableObject(env.NODE_REGISTRY.getByName(name), (registry: NodeRegistry) => {
    Object.defineProperty(registry, "env", { value: { ...env, ...bindings } });
    return run(registry);
  });
}

const slotsInLine = async () =>
  (await dependencies.database.all<{ slots: number }>(sql`SELECT slots FROM line`))[0]?.slots;

test("each heartbeat is logged under a request id of its own", async () => {
  const ids: string[] = [];
  const noteLine = (line: string) => {
    const { request_id: id, message } = JSON.parse(line);
    if (message === "A wake-up could not be sent") ids.push(id);
  };
  vi.spyOn(console, "warn").mockImplementation(noteLine);
  vi.spyOn(console, "log").mockImplementation(noteLine);
  const failing: Queue = {
    metrics: () => Promise.reject(new Error("Nothing asks")),
    send: () => Promise.reject(new Error("The queue is full")),
    sendBatch: () => Promise.reject(new Error("The queue is full")),
  };
  await inRegistry("logs", { WAKE_UPS: failing }, async (registry) => {
    for (const node of ["node-a", "node-b", "node-c"]) await registry.heartbeat(heartbeatOf(node));
  });
  vi.restoreAllMocks();
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
});

test("the sweep tells watchers without calling its own object", async () => {
  const accountId = await createBareAccount(dependencies);
  const job = newJob(dependencies);
  await createJobs(dependencies, { accountId, jobs: [job], batch: null, keptAnswer: null });
  await claimJobs(dependencies, [{ nodeId: "node-a", slots: 1 }]);
  await dependencies.database.run(sql`UPDATE jobs SET started_at = 1 WHERE id = ${job.id}`);
  const calls: string[] = [];
  const stub = new Proxy({}, { get: (_, name) => () => calls.push(String(name)) });
  const told = await inRegistry(
    "sweeps",
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what the edge asks of a namespace
    { NODE_REGISTRY: { getByName: () => stub } as unknown as Env["NODE_REGISTRY"] },
    async (registry) => {
      const news = registry.watchers.watch(job.id, "a watcher").getReader();
      await registry.alarm();
      let text = "";
      while (!text.includes("\n{") && !text.startsWith("{"))
        text += new TextDecoder().decode((await news.read()).value);
      return text;
    },
  );
  expect(told).toContain('"moved"');
  expect(calls).toEqual([]);
});

test("how many slots are live is known before anyone is woken for them, and again after each sweep", async () => {
  const slotsAtWakeUp: (number | undefined)[] = [];
  const queued = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  const queue: Queue = {
    metrics: () => Promise.reject(new Error("Nothing asks")),
    send: async () => {
      slotsAtWakeUp.push(await slotsInLine());
      return queued;
    },
    sendBatch: async () => queued,
  };
  await inRegistry("slots", { WAKE_UPS: queue }, async (registry) => {
    await registry.heartbeat(heartbeatOf("node-a", 1, 8));
    await registry.heartbeat(heartbeatOf("node-b", 1, 4));
    expect(slotsAtWakeUp).toEqual([8, 12]);
    await registry.heartbeat({ ...heartbeatOf("node-b", 2, 4), draining: true });
    await registry.alarm();
  });
  expect(await slotsInLine()).toBe(8);
});
