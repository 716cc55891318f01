import { describe, expect, test } from "vitest";
import type { JobState } from "../../contracts/job-lifecycle.ts";
import { wentBack } from "../../contracts/went-back.ts";

const inWork: JobState = {
  status: "Processing",
  step: "Muxing",
  claim: 2,
  interruptions: 1,
  publishing: false,
};
const waiting: JobState = { ...inWork, status: "Pending", step: "Queued" };
const publishing: JobState = { ...inWork, step: "Uploading", publishing: true };
const completed: JobState = { ...publishing, status: "Completed", step: "Finished" };

describe("detects that", () => {
  const cases: readonly (readonly [problem: string, before: JobState, after: JobState])[] = [
    ["an end changed", completed, { ...completed, status: "Failed" }],
    ["an end changed", completed, { ...inWork, claim: 3 }],
    ["a claim fell", inWork, { ...waiting, claim: 1 }],
    ["interruptions went down", inWork, { ...inWork, interruptions: 0 }],
    ["a dead claim came back", waiting, inWork],
    ["a dead claim came back", waiting, completed],
    ["a step went back", inWork, { ...inWork, step: "Downloading" }],
    ["permission to publish was withdrawn", publishing, { ...publishing, publishing: false }],
  ];
  test.for(cases)("%s", ([problem, before, after]) => {
    expect(wentBack(before, after)).toContain(problem);
  });
});

test("a new attempt starts over, and a failure may happen at any time", () => {
  expect(wentBack(publishing, { ...inWork, claim: 3, step: "Downloading" })).toBeNull();
  expect(wentBack(publishing, waiting)).toBeNull();
  expect(wentBack(waiting, { ...waiting, status: "Failed", step: "Finished" })).toBeNull();
  expect(wentBack(completed, completed)).toBeNull();
});
