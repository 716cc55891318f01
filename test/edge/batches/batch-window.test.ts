import * as fc from "fast-check";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { JobEvent } from "../../../contracts/job-lifecycle.ts";
import { cancelJobsOfBatch } from "../../../edge/batches/cancel-jobs-of-batch.ts";
import { episodesAtOnce } from "../../../edge/batches/episodes-at-once.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { emptyLine, makeShow } from "../support/show-batch.ts";
import { countedFromRows, countersOf, createBareAccount } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";

async function setUp(episodes: number, webhookUrl: string | null = null) {
  const dependencies = { ...testDependencies(), ...quietCluster({ noteDead: async () => undefined }) };
  await emptyLine(dependencies);
  const accountId = await createBareAccount(dependencies);
  const { batchId, ids } = await makeShow(dependencies, accountId, episodes, webhookUrl);
  const apply = (jobIds: readonly string[], event: JobEvent) =>
    applyChanges(
      dependencies,
      jobIds.map((jobId) => ({ accountId, jobId, event })),
    );
  return {
    dependencies,
    accountId,
    batchId,
    ids,
    apply,
    claim: async (slots: number) => {
      const [rows = []] = await claimJobs(dependencies, [{ nodeId: "node-a", slots }]);
      return rows.map(({ jobId }) => jobId);
    },
    fail: (jobIds: readonly string[]) => apply(jobIds, { type: "fail", claim: 1, code: "invalid_media" }),
    /** Its jobs that are queued or running. */
    released: async () => {
      const [row] = await dependencies.database.all<{ jobs: number }>(sql`
        SELECT count(*) AS jobs FROM jobs
        WHERE batch_id = ${batchId} AND (status = 'Processing' OR status = 'Pending' AND ready_at IS NOT NULL)`);
      return row?.jobs ?? 0;
    },
    unfinished: async () => {
      const [row] = await dependencies.database.all<{ jobs: number }>(sql`
        SELECT count(*) AS jobs FROM jobs WHERE batch_id = ${batchId} AND status IN ('Pending', 'Processing')`);
      return row?.jobs ?? 0;
    },
    batch: async () => {
      const [row] = await dependencies.database.all<Record<string, unknown>>(
        sql`SELECT status, total, completed, failed FROM batches WHERE id = ${batchId}`,
      );
      return row;
    },
    events: async () =>
      dependencies.database.all(sql`SELECT type FROM webhook_events WHERE subject = ${batchId}`),
  };
}

test("a show's first hundred jobs are queued, and the next is released when one ends", async () => {
  const it = await setUp(130);
  expect(await it.released()).toBe(episodesAtOnce);
  expect(await it.claim(1000)).toEqual(it.ids.slice(0, 100));
  expect(await it.claim(1000)).toEqual([]);
  await it.fail(it.ids.slice(0, 1));
  expect(await it.claim(1000)).toEqual([it.ids[100]]);
  await it.fail(it.ids.slice(1, 11));
  expect(await it.claim(1000)).toEqual(it.ids.slice(101, 111));
  expect(await it.batch()).toMatchObject({ status: "processing", failed: 11 });
});

test("an end reported several times, even at once, releases one job", async () => {
  const it = await setUp(130);
  const [first = ""] = await it.claim(1);
  await Promise.all([it.fail([first]), it.fail([first]), it.fail([first])]);
  await it.fail([first]);
  expect(await it.released()).toBe(episodesAtOnce);
  expect(await it.batch()).toMatchObject({ failed: 1 });
});

test("a requeued job releases none", async () => {
  const it = await setUp(130);
  await it.claim(10);
  await it.apply(it.ids.slice(0, 5), { type: "return", claim: 1 });
  await it.apply(it.ids.slice(5, 10), { type: "lose", claim: 1 });
  expect(await it.released()).toBe(episodesAtOnce);
  expect(await it.claim(1000)).toEqual(it.ids.slice(0, 100));
});

test("cancelling jobs that are held back releases none, and stops nothing", async () => {
  const it = await setUp(400);
  await it.apply(it.ids.slice(100, 300), { type: "cancel" });
  expect(await it.released()).toBe(episodesAtOnce);
  await it.claim(100);
  await it.fail(it.ids.slice(0, 100));
  expect(await it.claim(1000)).toEqual(it.ids.slice(300));
  await it.fail(it.ids.slice(300));
  expect(await it.batch()).toEqual({ status: "finished", total: 400, completed: 0, failed: 400 });
});

test("a simultaneous release and cancellation leave the window its size", async () => {
  const it = await setUp(200);
  await it.claim(100);
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => [
      it.fail(it.ids.slice(n, n + 1)),
      it.apply(it.ids.slice(100 + n, 101 + n), { type: "cancel" }),
    ]).flat(),
  );
  expect(await it.batch()).toMatchObject({ failed: 80 });
  expect(await it.released()).toBe(episodesAtOnce);
});

test("cancelling a batch ends all its jobs in a few steps and releases none meanwhile", async () => {
  const it = await setUp(1000, "https://client.example/");
  await it.claim(50);
  const turns = () =>
    it.dependencies.database.all(sql`SELECT turn FROM jobs WHERE batch_id = ${it.batchId} ORDER BY id`);
  const before = await turns();
  expect(await cancelJobsOfBatch(it.dependencies, it.accountId, it.batchId)).toBe(1000);
  expect(await it.batch()).toEqual({ status: "finished", total: 1000, completed: 0, failed: 1000 });
  expect(await turns()).toEqual(before);
  expect(await it.events()).toEqual([{ type: "batch_completed" }]);
  expect(await countersOf(it.dependencies, it.accountId)).toEqual(
    await countedFromRows(it.dependencies, it.accountId),
  );
});

test("simultaneous cancellations of a batch count each job once, even while its jobs end", async () => {
  const it = await setUp(2500, "https://client.example/");
  await it.claim(100);
  const cancel = () => cancelJobsOfBatch(it.dependencies, it.accountId, it.batchId);
  const failing = Array.from({ length: 20 }, (_, n) => it.fail(it.ids.slice(n, n + 1)));
  const [outcomes, ...cancelled] = await Promise.all([Promise.all(failing), cancel(), cancel(), cancel()]);
  const failed = outcomes.flat().filter(({ kind }) => kind === "changed").length;
  expect(cancelled.reduce<number>((sum, count) => sum + (count ?? 0), failed)).toBe(2500);
  expect(await cancel()).toBe(0);
  expect(await it.batch()).toEqual({ status: "finished", total: 2500, completed: 0, failed: 2500 });
  expect(await it.events()).toEqual([{ type: "batch_completed" }]);
  expect(await countersOf(it.dependencies, it.accountId)).toEqual(
    await countedFromRows(it.dependencies, it.accountId),
  );
});

describe("whatever happens to its jobs", () => {
  const step = fc.record({
    kind: fc.constantFrom("claim", "fail", "lose", "return", "cancel", "race"),
    from: fc.nat(149),
    count: fc.integer({ min: 1, max: 40 }),
  });

  test("a batch has a hundred unfinished jobs released, or all if there are fewer, and ends once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const it = await setUp(150, "https://client.example/");
        const claims = async () =>
          it.dependencies.database.all<{ id: string; claim: number }>(
            sql`SELECT id, claim FROM jobs WHERE batch_id = ${it.batchId} ORDER BY id`,
          );
        for (const { kind, from, count } of steps) {
          const rows = (await claims()).slice(from, from + count);
          const changes = (event: (claim: number) => JobEvent) =>
            applyChanges(
              it.dependencies,
              rows.map(({ id, claim }) => ({ accountId: it.accountId, jobId: id, event: event(claim) })),
            );
          const fail = () => changes((claim) => ({ type: "fail", claim, code: "source_error" }));
          const cancel = () => changes(() => ({ type: "cancel" }));
          if (kind === "claim") await it.claim(count);
          if (kind === "fail") await fail();
          if (kind === "cancel") await cancel();
          if (kind === "race") await Promise.all([fail(), cancel(), it.claim(count)]);
          if (kind === "lose") await changes((claim) => ({ type: "lose", claim }));
          if (kind === "return") await changes((claim) => ({ type: "return", claim }));
          expect(await it.released()).toBe(Math.min(episodesAtOnce, await it.unfinished()));
          expect(Number((await it.batch())?.["failed"])).toBe(150 - (await it.unfinished()));
        }
        await cancelJobsOfBatch(it.dependencies, it.accountId, it.batchId);
        expect(await it.batch()).toEqual({ status: "finished", total: 150, completed: 0, failed: 150 });
        expect(await it.events()).toHaveLength(1);
      }),
      { numRuns: 15 },
    );
  });
});
