import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { decide } from "../../contracts/job-lifecycle.ts";
import type { Rules } from "./database-model.ts";
import { type Outcome, simulate } from "./simulate.ts";

/** As many as `npm run soak` requests; otherwise some, which take seconds. */
const { firstSeed, lastSeed, step } = z
  .object({ firstSeed: z.int(), lastSeed: z.int(), step: z.int() })
  .parse(JSON.parse(process.env["FERRY_SIMULATOR"] ?? '{ "firstSeed": 1, "lastSeed": 150, "step": 1 }'));
const shownEvery = 1000;
const timeoutMs = 12 * 60 * 60_000;

test(
  "whatever is lost, delayed, duplicated, frozen or killed, every job ends, and nothing is lost or done twice",
  async () => {
    const totals = { completed: 0, failed: 0, faults: 0, openUploads: 0 };
    const broken: Outcome[] = [];
    let schedules = 0;
    for (let current = firstSeed; current <= lastSeed; current += step) {
      const outcome = simulate(current);
      totals.completed += outcome.completed;
      totals.failed += outcome.failed;
      totals.faults += outcome.faults;
      totals.openUploads += outcome.openUploads;
      if (outcome.problem !== null) {
        broken.push(outcome);
        console.error(`npm run soak -- --seed ${current}: ${outcome.problem}`);
      }
      schedules += 1;
      if (schedules % shownEvery !== 0) continue;
      console.log(`${schedules} schedules: ${JSON.stringify(totals)}`);
      // The runner prints this, and sees that the test is alive.
      await nextTurn();
    }
    expect(broken.slice(0, 20)).toEqual([]);
    const { completed, failed, faults } = totals;
    if (schedules > 1) expect(Math.min(completed, failed, faults)).toBeGreaterThan(schedules / 5);
  },
  timeoutMs,
);

test("a seed replays its schedule", () => {
  expect(simulate(7)).toEqual(simulate(7));
  expect(simulate(7)).not.toEqual({ ...simulate(8), seed: 7 });
});

test("a lifecycle that does not check whose claim it is, is detected", () => {
  const unfenced: typeof decide = (state, event) =>
    decide(state, "claim" in event ? { ...event, claim: state.claim } : event);
  expect(findProblem({ decide: unfenced })).not.toBeNull();
});

test("a lifecycle that lets an ended job end again is detected", () => {
  const reopening: typeof decide = (state, event) =>
    event.type === "complete" ? decide({ ...state, status: "Processing" }, event) : decide(state, event);
  expect(findProblem({ decide: reopening })).not.toBeNull();
});

test("an edge and nodes that do not check which process a claim was given to, are detected", () => {
  expect(findProblem({ fencesProcesses: false })).not.toBeNull();
});

test("an edge that requeues tasks a dead node did not respond to is detected: a job kills node after node", () => {
  expect(findProblem({ keepsUnanswered: false })).toMatch(/nodes have died of one job/);
});

test("an edge that listens to what an attempt asked before its latest question is detected", () => {
  expect(findProblem({ refusesLate: false }, 230)).toMatch(/is not there/);
});

/** The first problem that a schedule shows with these rules, beginning with this seed; null: none. */
function findProblem(broken: Partial<Rules>, first = 1): string | null {
  for (let current = first; current < first + 2000; current += 1) {
    const { problem } = simulate(current, broken);
    if (problem !== null) return problem;
  }
  return null;
}
