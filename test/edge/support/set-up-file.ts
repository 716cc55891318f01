import {
  applyD1Migrations,
  type D1Migration,
  listDurableObjectIds,
  reset,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, vi } from "vitest";
import type { Env } from "../../../edge/dependencies.ts";
import { managedAccountId } from "../../../edge/storage/storage.table.ts";

declare global {
  namespace Cloudflare {
    interface Env extends TestEnv {}
  }
}

interface TestEnv extends Env {
  readonly TEST_MIGRATIONS: D1Migration[];
  /** Of `npm run soak`, as JSON. */
  readonly FERRY_SCHEDULES: string;
  readonly TEST_RATE_LIMIT: RateLimit;
}

// Each file starts with a fresh runtime, except for the managed buckets: the isolate caches their ids.
const managedBuckets = await readManagedBuckets();
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
for (const { id, endpoint, bucket } of managedBuckets) {
  const insert = env.DB.prepare("INSERT INTO storage_locations (id, endpoint, bucket) VALUES (?, ?, ?)");
  await insert.bind(id, endpoint, bucket).run();
}

afterAll(async () => {
  vi.restoreAllMocks();
  // An alarm outlives the storage of its object.
  for (const id of await listDurableObjectIds(env.NODE_REGISTRY))
    await runInDurableObject(env.NODE_REGISTRY.get(id), (_, { storage }) => storage.deleteAlarm());
});

interface Bucket {
  readonly id: number;
  readonly endpoint: string;
  readonly bucket: string;
}

/** None before the first file: the tables do not exist yet. */
async function readManagedBuckets(): Promise<Bucket[]> {
  const tables = "SELECT name FROM sqlite_master WHERE name = 'storage_locations'";
  if ((await env.DB.prepare(tables).first()) === null) return [];
  const managed = "SELECT id, endpoint, bucket FROM storage_locations WHERE account_id = ?";
  return (await env.DB.prepare(managed).bind(managedAccountId).all<Bucket>()).results;
}
