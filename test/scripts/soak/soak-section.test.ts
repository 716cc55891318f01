import { expect, test } from "vitest";
import { isRight, soakSection, type SoakResult } from "../../../scripts/soak/soak-section.ts";

const recoveries = (...all: number[]) => all.map((tookMs) => ({ jobId: "job", killedAtMs: 0, tookMs }));

const result: SoakResult = {
  faults: new Map([
    ["node killed", 2],
    ["storage late", 3],
  ]),
  completed: 40,
  failed: 4,
  neverEnded: 0,
  countedTwice: 0,
  wrong: 0,
  nodesKilled: 2,
  recoveries: recoveries(4000, 5000, 21_000),
};

test("the section has a run's schedules, faults, outcomes and recoveries", () => {
  const text = soakSection(result, { ofProtocol: 100_000, ofEdge: 1000 });
  expect(text).toContain(
    "100000 schedules of faults on the simulator of the protocol and 1000 on the edge's",
  );
  expect(text).toContain("under 5 faults: storage late 3, node killed 2.");
  expect(text).toContain(
    "40 jobs completed and 4 failed; **0 lost, 0 counted twice**, 0 findings of the audit.",
  );
  expect(text).toContain(
    "2 nodes killed, 3 of their jobs restarted: after 5.0 s in the median, 21.0 s at worst; the goal is at most 45 s.",
  );
});

test("a run passes with nothing lost, nothing done twice, no findings and no late recovery", () => {
  expect(isRight(result)).toBe(true);
  expect(isRight({ ...result, recoveries: [] })).toBe(true);
  const worse = [
    { neverEnded: 1 },
    { countedTwice: 1 },
    { countedTwice: -1 },
    { countedTwice: Number.NaN },
    { wrong: 1 },
    { recoveries: recoveries(45_001) },
  ];
  for (const broken of worse) expect(isRight({ ...result, ...broken })).toBe(false);
});
