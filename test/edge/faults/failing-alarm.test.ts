import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { testDependencies } from "../support/test-dependencies.ts";

test("a sweep that fails eight times in a row is retried after each failure", async () => {
  const { database } = testDependencies();
  const registry = env.NODE_REGISTRY.getByName("failing");
  await registry.armSweep();
  await database.run(sql`ALTER TABLE jobs RENAME TO jobs_gone`);
  for (let failure = 0; failure < 8; failure += 1) {
    expect(await runDurableObjectAlarm(registry)).toBe(true);
    expect(await runInDurableObject(registry, (_, { storage }) => storage.getAlarm())).not.toBeNull();
  }
  await database.run(sql`ALTER TABLE jobs_gone RENAME TO jobs`);
  expect(await runDurableObjectAlarm(registry)).toBe(true);
});

test("a registry whose storage fails while the sweep is planned, plans it when it is used next", async () => {
  const registry = env.NODE_REGISTRY.getByName("unplanned");
  await runInDurableObject(registry, async (object, { storage }) => {
    vi.spyOn(storage, "getAlarm").mockRejectedValueOnce(new Error("The storage has failed"));
    await expect(object.grantSlots()).rejects.toThrow("The storage has failed");
    await object.grantSlots();
    expect(await storage.getAlarm()).not.toBeNull();
  });
});

test("the sweep runs at once when a new process is heard at a live node's address", async () => {
  const registry = env.NODE_REGISTRY.getByName("replaced");
  const alarmAt = () => runInDurableObject(registry, (_, { storage }) => storage.getAlarm());
  const counts = { downloading: 0, muxing: 0, uploading: 0 };
  const hear = (nodeId: string) =>
    registry.heartbeat({
      node_id: nodeId,
      hostname: "host",
      address: "http://node.example",
      sequence: 1,
      free_slots: 0,
      draining: true,
      counts,
      jobs: [],
    });
  await hear("former");
  const planned = (await alarmAt()) ?? 0;
  await hear("new");
  // If it has run already, the next one is scheduled.
  expect(await alarmAt()).not.toBe(planned);
});
