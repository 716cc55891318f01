import * as fc from "fast-check";
import { expect, test } from "vitest";
import { containerToWake, startMaxMs } from "../../../edge/containers/container-to-wake.ts";

const nothing = new Set<string>();

test("the first one that does not run is woken", () => {
  expect(containerToWake(2, nothing, new Map(), 0)).toBe("node-1");
  expect(containerToWake(2, new Set(["node-1"]), new Map([["node-1", 0]]), 5)).toBe("node-2");
});

test("none is woken beside one that is on its way, and another one when nothing was heard of it", () => {
  const wokenAt = new Map([["node-1", 1000]]);
  expect(containerToWake(3, nothing, wokenAt, 1000 + startMaxMs - 1)).toBeNull();
  expect(containerToWake(3, nothing, wokenAt, 1000 + startMaxMs)).toBe("node-2");
});

test("one that failed to start is tried again after all others", () => {
  const wokenAt = new Map([
    ["node-1", 1000],
    ["node-2", 2000],
  ]);
  expect(containerToWake(2, nothing, wokenAt, 2000 + startMaxMs)).toBe("node-1");
});

test("none is ever woken that runs, nor more than the ceiling allows", () => {
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
