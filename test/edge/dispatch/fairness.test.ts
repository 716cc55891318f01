import { beforeEach, describe, expect, test } from "vitest";
import type { Task } from "../../../contracts/task.ts";
import { buildTasks } from "../../../edge/dispatch/build-tasks.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { createJobs } from "../../../edge/jobs/create-jobs.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { emptyLine, makeShow } from "../support/show-batch.ts";
import { createBareAccount, newJob } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";

const dependencies = { ...testDependencies(), ...quietCluster() };

beforeEach(() => emptyLine(dependencies));

/** A node whose slots are full. `endOne` ends its oldest job, and returns the one that it gets instead. */
async function fullNode(slots: number, nodeId = "node-a") {
  const [rows = []] = await claimJobs(dependencies, [{ nodeId, slots }]);
  const held: Task[] = await buildTasks(dependencies, rows);
  expect(held).toHaveLength(slots);
  return {
    held,
    async endOne(): Promise<Task | undefined> {
      const oldest = held.shift();
      if (oldest === undefined) throw new Error("The node has nothing to end");
      const { account_id, job_id, claim } = oldest;
      const { tasks } = await handleReports(dependencies, {
        node_id: nodeId,
        free_slots: 1,
        reports: [{ account_id, job_id, claim, kind: "failed", code: "invalid_media", detail: null }],
      });
      held.push(...tasks);
      return tasks[0];
    },
  };
}

async function createSingle(accountId: string): Promise<string> {
  const job = newJob(dependencies);
  await createJobs(dependencies, { accountId, jobs: [job], batch: null, keptAnswer: null });
  return job.id;
}

/** The number of the given tasks per account. */
function perAccount(tasks: readonly Task[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const task of tasks) counts[task.account_id] = (counts[task.account_id] ?? 0) + 1;
  return counts;
}

describe("while a show of 2,000 episodes runs", () => {
  test("a single job takes the next free slot, whether of another account or of the same", async () => {
    const shows = await createBareAccount(dependencies);
    const other = await createBareAccount(dependencies);
    await makeShow(dependencies, shows, 2000);
    const node = await fullNode(8);
    for (let ended = 0; ended < 150; ended += 1) await node.endOne();

    const theirs = await createSingle(other);
    expect((await node.endOne())?.job_id).toBe(theirs);
    for (let ended = 0; ended < 20; ended += 1) await node.endOne();
    const own = await createSingle(shows);
    expect((await node.endOne())?.job_id).toBe(own);
  });

  test("another show that starts later shares the slots evenly", async () => {
    const first = await createBareAccount(dependencies);
    const second = await createBareAccount(dependencies);
    await makeShow(dependencies, first, 2000);
    const large = await fullNode(8);
    const small = await fullNode(3, "node-b");
    for (let ended = 0; ended < 50; ended += 1) await large.endOne();
    await makeShow(dependencies, second, 2000);
    for (let ended = 0; ended < 20; ended += 1) {
      await large.endOne();
      await small.endOne();
      await large.endOne();
    }
    const counts = perAccount([...large.held, ...small.held]);
    expect(Math.abs((counts[first] ?? 0) - (counts[second] ?? 0))).toBe(1);
  });

  test("an account with many single jobs gets no more slots than the show", async () => {
    const shows = await createBareAccount(dependencies);
    const singles = await createBareAccount(dependencies);
    await makeShow(dependencies, shows, 2000);
    const node = await fullNode(8);
    for (let created = 0; created < 30; created += 1) await createSingle(singles);
    for (let ended = 0; ended < 20; ended += 1) await node.endOne();
    expect(perAccount(node.held)).toEqual({ [shows]: 4, [singles]: 4 });
  });
});
