import { once } from "node:events";
import { expect, test } from "vitest";
import { allOrNone } from "../../../processor/pipeline/all-or-none.ts";

const never = new AbortController().signal;

test("results are in the order of the tasks", async () => {
  expect(
    await allOrNone(
      never,
      [1, 2, 3].map((number) => () => Promise.resolve(number)),
    ),
  ).toEqual([1, 2, 3]);
  expect(await allOrNone(never, [])).toEqual([]);
});

test("the first failure stops the others, and is reported when they have ended", async () => {
  const failure = new Error("first");
  let ended = false;
  const patient = async (signal: AbortSignal) => {
    await once(signal, "abort");
    await Promise.resolve();
    ended = true;
    throw new Error("a consequence");
  };
  await expect(allOrNone(never, [patient, () => Promise.reject(failure)])).rejects.toBe(failure);
  expect(ended).toBe(true);
});

test("an abort reaches the tasks, and its reason is the rejection", async () => {
  const controller = new AbortController();
  const reason = new Error("stopped");
  const run = allOrNone(controller.signal, [(signal) => once(signal, "abort")]);
  controller.abort(reason);
  await expect(run).rejects.toBe(reason);
});
