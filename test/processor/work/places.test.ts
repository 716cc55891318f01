import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createPlaces } from "../../../processor/work/places.ts";

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a limited number are inside at once, and the others enter in order of arrival", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 10 }), async (count, jobs) => {
      const places = createPlaces(count);
      const entered: number[] = [];
      const leaves: (() => void)[] = [];
      for (let job = 0; job < jobs; job += 1) {
        void places.enter(never).then((leave) => {
          entered.push(job);
          leaves.push(leave);
          return job;
        });
      }
      for (let left = 0; left < jobs; left += 1) {
        await settled();
        expect(entered).toHaveLength(Math.min(jobs, count + left));
        leaves[left]?.();
        // Leaving twice counts once.
        leaves[left]?.();
      }
      expect(entered).toEqual(Array.from({ length: jobs }, (_, job) => job));
    }),
    { numRuns: 30 },
  );
});

test("work that fails leaves its place", async () => {
  const places = createPlaces(1);
  const broken = new Error("broken");
  await expect(places.within(never, () => Promise.reject(broken))).rejects.toBe(broken);
  await expect(places.within(never, async () => "done")).resolves.toBe("done");
});

test("an aborted wait takes no place", async () => {
  const places = createPlaces(1);
  const leave = await places.enter(never);
  const controller = new AbortController();
  const reason = new Error("cancelled");
  const waiting = expect(places.enter(controller.signal)).rejects.toBe(reason);
  const next = places.enter(never);
  controller.abort(reason);
  await waiting;
  leave();
  (await next)();
  await expect(places.within(never, async () => "done")).resolves.toBe("done");
});
