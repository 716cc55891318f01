import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, initialJobState, type JobEvent, type JobState } from "../../contracts/job-lifecycle.ts";
import { interruptionsMax } from "../../contracts/limits.ts";
import { wentBack } from "../../contracts/went-back.ts";

const claims = fc.integer({ min: 0, max: 4 });
const events: fc.Arbitrary<JobEvent> = fc.oneof(
  fc.constant({ type: "claim" } as const),
  fc.constant({ type: "cancel_queued" } as const),
  fc.record({
    type: fc.constantFrom("upload_started", "publish", "complete", "return", "lose"),
    claim: claims,
  }),
  fc.record({
    type: fc.constant("fail" as const),
    claim: claims,
    code: fc.constantFrom("source_error", "internal"),
  }),
);

function life(happenings: readonly JobEvent[]): { before: JobState; event: JobEvent; after: JobState }[] {
  let state = initialJobState;
  return happenings.map((event) => {
    const before = state;
    const decision = decide(state, event);
    if (decision.kind === "changed") state = decision.state;
    return { before, event, after: state };
  });
}

const lives = fc.array(events, { maxLength: 40 }).map(life);
const isEnded = ({ status }: JobState) => status === "Completed" || status === "Failed";

describe("whatever happens to a job", () => {
  test("an ended job never changes again", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { before, after } of steps) if (isEnded(before)) expect(after).toEqual(before);
      }),
    );
  });

  test("the claim never falls, and rises by one exactly when a pending job is claimed", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { before, event, after } of steps) {
          const isClaimed = event.type === "claim" && before.status === "Pending";
          expect(after.claim).toBe(before.claim + (isClaimed ? 1 : 0));
        }
      }),
    );
  });

  test("a job that publishes its file cannot be cancelled", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { after } of steps)
          if (after.publishing) expect(decide(after, { type: "cancel" })).toEqual({ kind: "refused" });
      }),
    );
  });

  test("only the holder of the current claim changes a job in progress", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { before, event, after } of steps) {
          if (!("claim" in event)) continue;
          const holds = before.status === "Processing" && before.claim === event.claim;
          if (!holds) expect(after).toEqual(before);
        }
      }),
    );
  });

  test("a job completes only after its own claim was allowed to publish", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { before, event, after } of steps) {
          if (event.type === "complete" && after !== before) expect(before.publishing).toBe(true);
        }
      }),
    );
  });

  test("no state goes back to an earlier one", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        const states = steps.map(({ after }) => after);
        for (const [index, before] of states.entries())
          for (const after of states.slice(index)) expect(wentBack(before, after)).toBeNull();
      }),
    );
  });

  test("status and step match", () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { after } of steps) {
          if (after.status === "Pending") expect(after.step).toBe("Queued");
          if (isEnded(after)) expect(after.step).toBe("Finished");
          if (after.status === "Processing")
            expect(["Downloading", "Muxing", "Uploading"]).toContain(after.step);
        }
      }),
    );
  });
});

test("the last allowed interruption fails the job, and earlier ones requeue it", () => {
  let state = initialJobState;
  for (let loss = 1; loss <= interruptionsMax; loss += 1) {
    const claimed = decide(state, { type: "claim" });
    if (claimed.kind !== "changed") throw new Error("A pending job can be claimed");
    const lost = decide(claimed.state, { type: "lose", claim: claimed.state.claim });
    if (lost.kind !== "changed") throw new Error("A job in work can be lost");
    state = lost.state;
    expect(state.status).toBe(loss < interruptionsMax ? "Pending" : "Failed");
    expect(lost.failure).toBe(loss < interruptionsMax ? null : "interrupted");
  }
});

test("a report that the row already reflects is not an error, but one from a dead claim is", () => {
  const completed: JobState = {
    status: "Completed",
    step: "Finished",
    claim: 2,
    interruptions: 1,
    publishing: true,
  };
  expect(decide(completed, { type: "complete", claim: 2 }).kind).toBe("unchanged");
  expect(decide(completed, { type: "complete", claim: 1 }).kind).toBe("fenced");
  expect(decide(completed, { type: "fail", claim: 2, code: "internal" }).kind).toBe("fenced");
});

test("a job in progress cannot be cancelled as if it were queued", () => {
  const working: JobState = { ...initialJobState, status: "Processing", step: "Muxing", claim: 1 };
  expect(decide(working, { type: "cancel_queued" }).kind).toBe("refused");
});
