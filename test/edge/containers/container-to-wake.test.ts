import * as fc from "fast-check";
import { expect, test } from "vitest";
import { containerToWake, startMaxMs } from "../../../edge/containers/container-to-wake.ts";

const nothing = new Set<string>();

test("wakes the first container that is not running", () => {
  expect(containerToWake(2, nothing, new Map(), 0)).toBe("node-1");
  expect(containerToWake(2, new Set(["node-1"]), new Map([["node-1", 0]]), 5)).toBe("node-2");
});

test("wakes none while one is starting, and another if it is not heard from", () => {
  const wokenAt = new Map([["node-1", 1000]]);
  expect(containerToWake(3, nothing, wokenAt, 1000 + startMaxMs - 1)).toBeNull();
  expect(containerToWake(3, nothing, wokenAt, 1000 + startMaxMs)).toBe("node-2");
});

test("retries one that failed to start after all the others", () => {
  const wokenAt = new Map([
    ["node-1", 1000],
    ["node-2", 2000],
  ]);
  expect(containerToWake(2, nothing, wokenAt, 2000 + startMaxMs)).toBe("node-1");
});

test("never wakes a running one, nor more than the limit", () => {
  const name = fc.integer({ min: 1, max: 6 }).map((index) => `node-${index}`);
  const wakings = fc.array(fc.tuple(name, fc.nat(200_000)));
  fc.assert(
    fc.property(fc.nat(5), fc.uniqueArray(name), wakings, fc.nat(300_000), (max, running, wokenAt, now) => {
      const live = new Set(running);
      const woken = containerToWake(max, live, new Map(wokenAt), now);
      if (woken === null) return;
      expect(live.has(woken)).toBe(false);
      expect(Number(woken.slice("node-".length))).toBeLessThanOrEqual(max);
    }),
  );
});
