import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { expect, it } from "vitest";
import { diagnosisSchema } from "../../../contracts/diagnosis.ts";
import type { Heartbeat } from "../../../contracts/heartbeat.ts";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { diagnose } from "../../../edge/diagnosis/diagnose.ts";
import * as schema from "../../../edge/schema.ts";
import { memoryStorage } from "../support/memory-storage.ts";
import { answering } from "../support/show-node.ts";
import { silentLog } from "../support/silent-log.ts";
import { testDependencies } from "../support/test-dependencies.ts";

const facts = { yt_dlp: "2026.11.01", ffmpeg: "7.1", edge_ahead_ms: 12 };
const heartbeat: Heartbeat = {
  node_id: "node-a",
  hostname: "machine-a",
  address: "http://a.example",
  sequence: 1,
  free_slots: 0,
  draining: false,
  facts,
  counts: { downloading: 0, muxing: 0, uploading: 0 },
  jobs: [],
};

function dependenciesWith(overrides: Partial<Dependencies> = {}): Dependencies {
  return { ...testDependencies({ now: Date.now() }), log: silentLog, ...overrides };
}
const reached: Dependencies["processors"] = {
  sendTasks: () => Promise.resolve({ results: [] }),
  readShow: (_address, request, signal) => answering([])(request, signal),
};

it("finds no problem in a healthy system, and leaves nothing in storage", async () => {
  const storage = memoryStorage();
  const dependencies = dependenciesWith({ fetch: storage.fetch, processors: reached });
  await dependencies.registry.heartbeat(heartbeat);
  await dependencies.registry.armSweep();
  const diagnosis = diagnosisSchema.parse(await diagnose(dependencies));
  expect(diagnosis).toMatchObject({ storage_problem: null, longest_wait_ms: null });
  expect(diagnosis.nodes).toMatchObject([
    { hostname: "machine-a", address: "http://a.example", draining: false, jobs: 0, facts, problem: null },
  ]);
  expect(storage.objects.size).toBe(0);
  expect(diagnosis.migrations).toContain("0000_first_tables.sql");
  expect(Math.abs(diagnosis.cron_ms_ago ?? Number.NaN)).toBeLessThan(60_000);
});

it("reports the problem of each part, even if others have problems too", async () => {
  const broken = {
    prepare: () => {
      throw new Error("The database is gone");
    },
  };
  const dependencies = dependenciesWith({
    fetch: () => Promise.resolve(new Response(null, { status: 403 })),
    processors: { ...reached, sendTasks: () => Promise.reject(new Error("The node answered 401")) },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `prepare` is called
    database: drizzle(broken as unknown as D1Database, { schema }),
  });
  await dependencies.registry.heartbeat({ ...heartbeat, sequence: 2 });
  const diagnosis = diagnosisSchema.parse(await diagnose(dependencies));
  expect(diagnosis).toMatchObject({
    migrations: null,
    longest_wait_ms: null,
    storage_problem: "Bucket test failed at put: access was denied",
    nodes: [{ problem: "The node answered 401" }],
  });
});

it("reports no migrations for a database without any", async () => {
  const dependencies = dependenciesWith({ fetch: memoryStorage().fetch, processors: reached });
  await env.DB.exec("ALTER TABLE d1_migrations RENAME TO put_aside");
  try {
    expect((await diagnose(dependencies)).migrations).toEqual([]);
  } finally {
    await env.DB.exec("ALTER TABLE put_aside RENAME TO d1_migrations");
  }
});
