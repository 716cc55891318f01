import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { writeLiveSlots } from "../../../edge/cluster/live-slots.store.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { createJobs } from "../../../edge/jobs/create-jobs.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { brokenInvariants } from "../support/broken-invariants.ts";
import { countingDatabase } from "../support/database-cost.ts";
import { insertManyJobs } from "../support/many-jobs.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { emptyLine } from "../support/show-batch.ts";
import { createBareAccount, newJob } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";

const { database, cost } = countingDatabase();
const dependencies = {
  ...testDependencies(),
  ...quietCluster({ jobsMoved: async () => undefined, noteDead: async () => undefined }),
  database,
};
const newAccount = () => createBareAccount(dependencies);

beforeEach(() => emptyLine(dependencies));

async function create(accountId: string, count = 1, bulk = false): Promise<string[]> {
  const jobs = Array.from({ length: count }, () => newJob(dependencies));
  const batch = bulk ? { id: dependencies.newId(), folder: "" } : null;
  await createJobs(dependencies, { accountId, jobs, batch, keptAnswer: null });
  return jobs.map(({ id }) => id);
}

/** Offers slots of a node; returns what is claimed for them. */
async function claim(slots: number, nodeId = "node-a") {
  const [rows = []] = await claimJobs(dependencies, [{ nodeId, slots }]);
  return rows;
}
type Claimed = Awaited<ReturnType<typeof claim>>[number];

/** Ends a job on its node, and returns what the node gets instead. */
async function end({ accountId, jobId, claim: number }: Claimed, nodeId = "node-a"): Promise<string[]> {
  const subject = { account_id: accountId, job_id: jobId, claim: number };
  const { tasks } = await handleReports(dependencies, {
    node_id: nodeId,
    free_slots: 1,
    reports: [{ ...subject, kind: "failed", code: "invalid_media", detail: null }],
  });
  return tasks.map(({ job_id }) => job_id);
}

const limitRunning = (accountId: string, limit: number | null) =>
  database.run(sql`UPDATE account_counters SET running_limit = ${limit} WHERE account_id = ${accountId}`);

describe("while one account's three hundred jobs take hours", () => {
  test("another account's single job starts at once on the only node, which has eight slots", async () => {
    await writeLiveSlots(dependencies, 8);
    const large = await newAccount();
    for (let bulk = 0; bulk < 3; bulk += 1) await create(large, 100, true);
    expect(await claim(8)).toHaveLength(7);
    expect(await claim(1)).toEqual([]);
    const single = await create(await newAccount());
    expect((await claim(1)).map(({ jobId }) => jobId)).toEqual(single);
  });

  test("ten other accounts' single jobs start at once on ten nodes", async () => {
    await writeLiveSlots(dependencies, 80);
    const large = await newAccount();
    await create(large, 300);
    const offers = Array.from({ length: 20 }, (_, index) => ({ nodeId: `node-${index % 10}`, slots: 4 }));
    expect((await claimJobs(dependencies, offers)).flat()).toHaveLength(70);
    const singles: string[] = [];
    for (let account = 0; account < 10; account += 1) singles.push(...(await create(await newAccount())));
    const started = (await claimJobs(dependencies, offers.slice(0, 3))).flat();
    expect(new Set(started.map(({ jobId }) => jobId))).toEqual(new Set(singles));
  });

  test("a slot that its jobs give up is first kept free again, before it gets the next", async () => {
    await writeLiveSlots(dependencies, 8);
    const large = await newAccount();
    await create(large, 300);
    const running = await claim(8);
    await create(await newAccount());
    expect(await claim(1)).toHaveLength(1);
    const [one, other] = running;
    if (one === undefined || other === undefined) throw new Error("Too few are running");
    expect(await end(one), "that slot stays free").toEqual([]);
    expect(await end(other), "now one is free besides").toHaveLength(1);
  });

  test("its next thousand bulk requests put nothing ahead of a neighbour's next job", async () => {
    const large = await newAccount();
    const neighbour = await newAccount();
    await create(large, 1);
    await create(neighbour, 1);
    expect(await claim(2)).toHaveLength(2);
    for (let bulk = 0; bulk < 30; bulk += 1) await create(large, 3, true);
    const next = await create(neighbour, 2);
    const claimed = await claim(4);
    const theirs = claimed.filter(({ accountId }) => accountId === neighbour).map(({ jobId }) => jobId);
    expect(new Set(theirs)).toEqual(new Set(next));
  });
});

test("each of several slots goes to the account with the fewest running jobs, those before it counted", async () => {
  await writeLiveSlots(dependencies, 80);
  const busy = await newAccount();
  await create(busy, 12);
  expect(await claim(4)).toHaveLength(4);
  const idle = await newAccount();
  await create(idle, 12);
  expect((await claim(4)).map(({ accountId }) => accountId)).toEqual([idle, idle, idle, idle]);
});

describe("an account's own limit", () => {
  test("is never exceeded, however many slots are free, and ends no running job when it is lowered", async () => {
    const account = await newAccount();
    await create(account, 20);
    await limitRunning(account, 6);
    const running = [...(await claim(4)), ...(await claim(8, "node-b"))];
    expect(running).toHaveLength(6);
    await limitRunning(account, 5);
    const [first, second] = running;
    if (first === undefined || second === undefined) throw new Error("Too few are running");
    const nodeOf = ({ jobId }: Claimed) =>
      running.slice(0, 4).some((row) => row.jobId === jobId) ? "node-a" : "node-b";
    expect(await end(first, nodeOf(first))).toEqual([]);
    expect(await end(second, nodeOf(second))).toHaveLength(1);
  });

  test("lets the slots go to others behind it", async () => {
    const limited = await newAccount();
    await create(limited, 20);
    await limitRunning(limited, 1);
    const other = await newAccount();
    await create(other, 20);
    const counts = (await claim(10)).reduce((sum, { accountId }) => sum + (accountId === limited ? 1 : 0), 0);
    expect(counts).toBe(1);
  });
});

/** What the rule says, one slot after the other. */
class Model {
  readonly slots: number;
  readonly accounts: readonly {
    limit: number | null;
    queued: { id: string; turn: number }[];
    running: string[];
  }[];

  constructor(slots: number, limits: readonly (number | null)[]) {
    this.slots = slots;
    this.accounts = limits.map((limit) => ({ limit, queued: [], running: [] }));
  }

  /** `given`: the jobs that were given slots. Of accounts that are equal in everything, any may be next. */
  claim(offered: number, given: ReadonlySet<string>): string[] {
    const claimed: string[] = [];
    const isGiven = ({ queued }: Model["accounts"][number]) => given.has(queued[0]?.id ?? "");
    const keptFree = this.slots < 2 ? 0 : Math.max(1, Math.floor(this.slots / 8));
    for (let slot = 0; slot < offered; slot += 1) {
      const free = this.slots - this.accounts.reduce((sum, { running }) => sum + running.length, 0);
      const [next] = this.accounts
        .filter(({ queued, running, limit }) => queued.length > 0 && running.length < (limit ?? Infinity))
        .filter(({ running }) => running.length === 0 || free > keptFree)
        .sort(
          (a, b) =>
            a.running.length - b.running.length ||
            turnOf(a) - turnOf(b) ||
            Number(isGiven(b)) - Number(isGiven(a)),
        );
      const job = next?.queued.shift();
      if (next === undefined || job === undefined) break;
      next.running.push(job.id);
      claimed.push(job.id);
    }
    return claimed;
  }
}
const turnOf = ({ queued }: Model["accounts"][number]) => queued[0]?.turn ?? Infinity;

test("whatever is queued, ends and is offered, each slot goes where the rule says", async () => {
  const account = fc.nat(3);
  const step = fc.oneof(
    fc.record({ kind: fc.constant("create" as const), account, count: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ kind: fc.constant("end" as const), account, count: fc.constant(1) }),
    fc.record({ kind: fc.constant("claim" as const), account, count: fc.integer({ min: 1, max: 9 }) }),
  );
  const limits = fc.array(fc.option(fc.integer({ min: 1, max: 4 })), { minLength: 4, maxLength: 4 });
  let claims = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      limits,
      fc.array(step, { minLength: 5, maxLength: 20 }),
      async (slots, running, steps) => {
        await emptyLine(dependencies);
        await writeLiveSlots(dependencies, slots);
        const model = new Model(slots, running);
        const ids: string[] = [];
        for (const limit of running) {
          const id = await newAccount();
          await limitRunning(id, limit);
          ids.push(id);
        }
        const rows = new Map<string, Claimed>();
        for (const { kind, account: index, count } of steps) {
          const accountId = ids[index] ?? "";
          const modelled = model.accounts[index];
          if (modelled === undefined) throw new Error("There is no such account");
          if (kind === "create") {
            const created = await create(accountId, count, count > 2);
            const turns = await database.all<{ id: string; turn: number }>(
              sql`SELECT id, turn FROM jobs WHERE account_id = ${accountId} ORDER BY turn`,
            );
            modelled.queued.push(...turns.filter(({ id }) => created.includes(id)));
          } else if (kind === "claim") {
            const claimed = await claim(count);
            for (const row of claimed) rows.set(row.jobId, row);
            const expected = model.claim(count, new Set(claimed.map(({ jobId }) => jobId)));
            expect(new Set(claimed.map(({ jobId }) => jobId))).toEqual(new Set(expected));
            claims += claimed.length;
          } else {
            const row = rows.get(modelled.running.shift() ?? "");
            if (row === undefined) continue;
            const { accountId: account_id, jobId: job_id, claim: number } = row;
            await handleReports(dependencies, {
              node_id: "node-a",
              free_slots: 0,
              reports: [
                { account_id, job_id, claim: number, kind: "failed", code: "invalid_media", detail: null },
              ],
            });
          }
        }
        for (const id of ids) expect(await brokenInvariants(database, "2026-01-01", id)).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
  expect(claims).toBeGreaterThan(50);
}, 120_000);

test("a claim costs as little whatever waits behind it, and whatever has been", async () => {
  await writeLiveSlots(dependencies, 0);
  for (const [waiting, others, past] of [
    [100, 10, 100],
    [2000, 100, 20_000],
  ] as const) {
    await emptyLine(dependencies);
    const account = await newAccount();
    await insertManyJobs(dependencies, account, { count: past, prefix: `02000000-${others}0`.slice(0, 13) });
    await database.run(sql`UPDATE jobs SET status = 'Completed' WHERE status = 'Processing'`);
    for (let left = waiting; left > 0; left -= 100) await create(account, Math.min(left, 100));
    for (let other = 0; other < others; other += 1) await create(await newAccount(), 5);
    await claim(1);
    const before = { ...cost };
    expect(await claim(1)).toHaveLength(1);
    expect(cost.rowsRead - before.rowsRead).toBeLessThanOrEqual(24);
    expect(cost.rowsWritten - before.rowsWritten).toBe(5);
    const between = { ...cost };
    expect(await claim(4)).toHaveLength(4);
    expect(cost.rowsRead - between.rowsRead).toBeLessThanOrEqual(138);
    expect(cost.rowsWritten - between.rowsWritten).toBe(20);
  }
});
