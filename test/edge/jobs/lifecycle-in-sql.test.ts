import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { decide, type JobState } from "../../../contracts/job-lifecycle.ts";
import { jobSteps } from "../../../contracts/job-status.ts";
import { cancelHeldBack } from "../../../edge/batches/cancel-held-back.store.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { updateQueuedTurns } from "../../../edge/dispatch/queued-turns.store.ts";
import { writeSteps } from "../../../edge/jobs/write-steps.store.ts";
import { transact } from "../../../edge/transact.ts";
import { noOptions } from "../../contracts/no-options.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { createBareAccount } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";

// What many rows go through at once is written in SQL. Here each statement meets a row in every state, and must do what
// the lifecycle decides about it.
const dependencies = { ...testDependencies(), ...quietCluster({ jobsMoved: async () => undefined }) };
const { database } = dependencies;
const node = "node-a";

const waiting = [0, 1, 2].map((claim): JobState => {
  return { status: "Pending", step: "Queued", claim, interruptions: claim, publishing: false };
});
const running = (["Downloading", "Muxing", "Uploading"] as const).flatMap((step) =>
  [false, step === "Uploading"].map((publishing): JobState => {
    return { status: "Processing", step, claim: 2, interruptions: 1, publishing };
  }),
);
const ended = (["Completed", "Failed"] as const).map((status): JobState => {
  return { status, step: "Finished", claim: 2, interruptions: 1, publishing: status === "Completed" };
});
const states = [...waiting, ...running, ...ended];

/** Stores a job in each state; returns them by their ids, with a way to read them again. */
async function storeAll({ heldBackIn = null }: { heldBackIn?: string | null } = {}) {
  const accountId = await createBareAccount(dependencies);
  const stored = states.map((state) => ({ id: dependencies.newId(), state }));
  await transact(database, [
    sql`DELETE FROM jobs`,
    ...stored.map(
      ({ id, state: { status, step, claim, interruptions, publishing } }) => sql`
        INSERT INTO jobs (account_id, id, batch_id, url, options, status, step, claim, interruptions, publishing,
          transition, ready_at, turn, node_id, created_at, started_at, storage_location_id)
        VALUES (${accountId}, ${id}, ${heldBackIn}, 'https://media.example/a.mp4', ${JSON.stringify(noOptions)}, ${status}, ${step},
          ${claim}, ${interruptions}, ${publishing ? 1 : 0}, ${id},
          ${status === "Pending" && heldBackIn === null ? 1 : null}, 0, ${status === "Processing" ? node : null}, 1, 1, 1)`,
    ),
    updateQueuedTurns([accountId]),
  ]);
  const readState = async (id: string): Promise<JobState> => {
    const [row] = await database.all<Omit<JobState, "publishing"> & { publishing: number }>(
      sql`SELECT status, step, claim, interruptions, publishing FROM jobs WHERE id = ${id}`,
    );
    if (row === undefined) throw new Error("The job is gone");
    return { ...row, publishing: row.publishing === 1 };
  };
  return { accountId, stored, readState };
}

test("claiming changes a row in each state as the lifecycle decides", async () => {
  const { stored, readState } = await storeAll();
  const [claimed = []] = await claimJobs(dependencies, [{ nodeId: node, slots: 20 }]);
  expect(claimed).toHaveLength(waiting.length);
  for (const { id, state } of stored) {
    const decision = decide(state, { type: "claim" });
    expect(await readState(id)).toEqual(decision.kind === "changed" ? decision.state : state);
  }
});

test("cancelling a batch's held-back jobs changes a row in each state as the lifecycle decides", async () => {
  const batchId = dependencies.newId();
  const { accountId, stored, readState } = await storeAll({ heldBackIn: batchId });
  await database.run(sql`
    INSERT INTO batches (account_id, id, folder, status, total, created_at, last_released)
    VALUES (${accountId}, ${batchId}, '', 'processing', ${stored.length}, 1, '')`);
  expect(await cancelHeldBack(dependencies, accountId, batchId)).toBe(waiting.length);
  for (const { id, state } of stored) {
    const decision = decide(state, { type: "cancel_queued" });
    expect(await readState(id)).toEqual(decision.kind === "changed" ? decision.state : state);
  }
});

test("steps told by heartbeats only go forward, only within the claim, and change nothing else", async () => {
  for (const step of ["Downloading", "Muxing", "Uploading"] as const) {
    for (const claim of [1, 2, 3]) {
      const { accountId, stored, readState } = await storeAll();
      const steps = stored.map(({ id: jobId }) => ({ accountId, jobId, claim, nodeId: node, step }));
      await writeSteps(dependencies, steps);
      for (const { id, state } of stored) {
        const holds = state.status === "Processing" && state.claim === claim;
        const isLater = jobSteps.indexOf(step) > jobSteps.indexOf(state.step);
        expect(await readState(id)).toEqual(holds && isLater ? { ...state, step } : state);
      }
    }
  }
});
