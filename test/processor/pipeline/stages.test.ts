import { expect, test } from "vitest";
import { createStages } from "../../../processor/pipeline/stages.ts";

function setting() {
  const steps: string[] = [];
  let nowMs = 0;
  const stages = createStages({ stepReached: (step) => steps.push(step) }, () => nowMs);
  const pass = (milliseconds: number) => {
    nowMs += milliseconds;
  };
  return { steps, stages, pass };
}

test("the step is the earliest unfinished stage, in whatever order stages start and end", () => {
  const { steps, stages } = setting();
  stages.begin("download");
  stages.begin("upload");
  stages.begin("mux");
  expect(steps).toEqual(["Downloading"]);
  stages.end("mux");
  stages.end("download");
  expect(steps).toEqual(["Downloading", "Uploading"]);
  stages.end("upload");
  expect(steps).toEqual(["Downloading", "Uploading"]);
});

test("a stage that starts again does not move the step back", () => {
  const { steps, stages } = setting();
  stages.begin("download");
  stages.end("mux");
  stages.end("download");
  stages.begin("download");
  stages.begin("mux");
  stages.end("download");
  stages.end("mux");
  expect(steps).toEqual(["Downloading", "Uploading"]);
});

test("a stage's time is all the time it was running, even if it has not ended", () => {
  const { stages, pass } = setting();
  stages.begin("download");
  pass(10);
  stages.begin("upload");
  pass(5);
  stages.end("download");
  pass(1);
  stages.begin("download");
  pass(2);
  stages.end("download");
  expect(stages.timings()).toEqual({ download_ms: 17, mux_ms: 0, upload_ms: 8 });
});
