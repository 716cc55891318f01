import { once } from "node:events";
import { expect, test } from "vitest";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { withinTimeLimit } from "../../../processor/pipeline/time-limit.ts";

const never = new AbortController().signal;
const untilAborted = async (signal: AbortSignal) => {
  await once(signal, "abort");
  throw new Error("a consequence of the abort");
};

test("work that takes too long is aborted and fails with time_limit", async () => {
  await expect(withinTimeLimit(10, never, untilAborted)).rejects.toMatchObject({ code: "time_limit" });
  await expect(withinTimeLimit(-5, never, untilAborted)).rejects.toMatchObject({ code: "time_limit" });
});

test("work that fails by itself fails with its own error", async () => {
  const late = new JobFailure("source_error", "too late");
  await expect(withinTimeLimit(10, never, untilAborted, late)).rejects.toBe(late);
});

test("a stopped job fails with the reason it was stopped for", async () => {
  const controller = new AbortController();
  const run = withinTimeLimit(60_000, controller.signal, untilAborted);
  controller.abort(new Error("stopped"));
  await expect(run).rejects.toThrow("stopped");
});

test("work that ends in time returns its own result or failure", async () => {
  expect(await withinTimeLimit(60_000, never, () => Promise.resolve("done"))).toBe("done");
  await expect(withinTimeLimit(60_000, never, () => Promise.reject(new Error("broken")))).rejects.toThrow(
    "broken",
  );
});
