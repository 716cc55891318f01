import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nextLifeStep } from "../../../edge/containers/container-life.ts";
import { startMaxMs } from "../../../edge/containers/container-to-wake.ts";

const idleMaxMs = 300_000;
const life = { name: "node-1", wokenAt: 0, idleSince: null };

test("a node with jobs is never stopped", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.nat(), fc.option(fc.nat()), (jobs, now, idleSince) => {
      const step = nextLifeStep({ ...life, idleSince }, { isLive: true, jobs }, { now, idleMaxMs });
      expect(step).toEqual({ act: "keep", idleSince: null });
    }),
  );
});

test("an idle node is told to stop after the idle time, and killed if it does not", () => {
  const at = (now: number, idleSince: number | null) =>
    nextLifeStep({ ...life, idleSince }, { isLive: true, jobs: 0 }, { now, idleMaxMs });
  expect(at(1000, null)).toEqual({ act: "keep", idleSince: 1000 });
  expect(at(1000 + idleMaxMs - 1, 1000)).toEqual({ act: "keep", idleSince: 1000 });
  expect(at(1000 + idleMaxMs, 1000)).toEqual({ act: "stop" });
  expect(at(1000 + idleMaxMs + 60_000, 1000)).toEqual({ act: "kill" });
});

test("a node is given time to start, and killed if it stays silent", () => {
  const silent = { isLive: false, jobs: 0 };
  expect(nextLifeStep(life, silent, { now: startMaxMs - 1, idleMaxMs })).toMatchObject({ act: "keep" });
  expect(nextLifeStep(life, silent, { now: startMaxMs, idleMaxMs })).toEqual({ act: "kill" });
});
