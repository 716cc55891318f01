import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDependencies } from "../support/test-dependencies.ts";

test("a sweep that fails eight times in a row is tried again after each", async () => {
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
