import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Dependencies, Env } from "../../edge/dependencies.ts";
import { chooseDatabase, chooseQueues, chooseRegistry } from "../../edge/shards.ts";
import { drizzle } from "drizzle-orm/d1";
import * as schema from "../../edge/schema.ts";
import { claimAll } from "./support/finish-job.ts";
import { createTestApi, type TestApi } from "./support/test-api.ts";
import { silentQueue } from "./support/test-dependencies.ts";

/** A deployment's bindings with its own database, registry and queues; `sent`: messages sent to its job queue. */
function shardOf(name: string, database: D1Database) {
  const sent: unknown[] = [];
  const namespace: Partial<Env["NODE_REGISTRY"]> = {
    idFromName: (id) => env.NODE_REGISTRY.idFromName(`${name} ${id}`),
    get: (id) => env.NODE_REGISTRY.get(id),
  };
  const queue: Env["WAKE_UPS"] = {
    metrics: () => silentQueue.metrics(),
    sendBatch: () => silentQueue.sendBatch([]),
    send: async (message) => {
      sent.push(message);
      return silentQueue.sendBatch([]);
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has both methods that the choice calls
  const registries = namespace as Env["NODE_REGISTRY"];
  const bindings: Env = { ...env, DB: database, WAKE_UPS: queue, NODE_REGISTRY: registries };
  const chosen: Partial<Dependencies> = {
    database: drizzle(chooseDatabase(bindings), { schema }),
    registry: chooseRegistry(bindings),
    ...chooseQueues(bindings),
    webhooks: silentQueue,
  };
  return { chosen, sent };
}

const heartbeat = (nodeId: string, freeSlots: number) => ({
  node_id: nodeId,
  hostname: nodeId,
  address: `http://${nodeId}`,
  sequence: 1,
  free_slots: freeSlots,
  draining: false,
  counts: { downloading: 0, muxing: 0, uploading: 0 },
  jobs: [],
});
const create = async (api: TestApi): Promise<string> =>
  (await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } })).body.job_id;

it("two databases, two registries and two queues serve their own accounts, nodes and jobs side by side", async () => {
  await applyD1Migrations(env.SECOND_DB, env.TEST_MIGRATIONS);
  const shards = [shardOf("first", env.DB), shardOf("second", env.SECOND_DB)] as const;
  const [first, second] = [await createTestApi(shards[0].chosen), await createTestApi(shards[1].chosen)];
  const [firstJob, secondJob] = [await create(first), await create(second)];
  expect(shards.map(({ sent }) => sent)).toEqual([[{ reason: "job_created" }], [{ reason: "job_created" }]]);

  for (const [api, own, other] of [
    [first, firstJob, secondJob],
    [second, secondJob, firstJob],
  ] as const) {
    expect((await api.call("GET", `/jobs/${own}`)).body.id).toBe(own);
    expect((await api.call("GET", `/jobs/${other}`)).status).toBe(404);
    expect((await api.call("GET", "/usage")).body.usage_count).toBe(1);
    expect((await claimAll(api.dependencies)).map(({ job_id }) => job_id)).toEqual([own]);
  }
  expect(
    (await second.send("GET", `/jobs/${secondJob}`, { headers: { "x-api-key": first.account.key } })).status,
  ).toBe(401);

  await first.dependencies.registry.heartbeat(heartbeat("node-a", 1));
  await second.dependencies.registry.heartbeat(heartbeat("node-b", 2));
  const offered = async (api: TestApi) =>
    [...(await api.dependencies.registry.grantSlots())].map(({ nodeId, slots }) => ({ nodeId, slots }));
  expect(await offered(first)).toEqual([{ nodeId: "node-a", slots: 1 }]);
  expect(await offered(second)).toEqual([{ nodeId: "node-b", slots: 2 }]);
});
