import { expect, test } from "vitest";
import { NoRoom } from "../../../processor/disk/no-room.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { endReport } from "../../../processor/work/job-end.ts";
import { JobStopped } from "../../../processor/work/job-stopped.ts";
import { sampleTask } from "../sample-task.ts";

const job = { account_id: "account-1", job_id: "job-1", claim: 1 };
const timings = { download_ms: 1, mux_ms: 2, upload_ms: 3 };
const running = new AbortController().signal;
const returned = AbortSignal.abort(new JobStopped("returned"));
const dropped = AbortSignal.abort(new JobStopped("dropped"));
const failure = new JobFailure("rate_limited", "try later");

test.each([
  ["a result", { result: { timings } }, running, { ...job, kind: "completed", timings }],
  [
    "a failure",
    { error: failure },
    running,
    { ...job, kind: "failed", code: "rate_limited", detail: "try later" },
  ],
  [
    "an unknown error",
    { error: new Error("x") },
    running,
    { ...job, kind: "failed", code: "internal", detail: null },
  ],
  ["no disk space", { error: new NoRoom() }, running, { ...job, kind: "returned" }],
  ["a failure after it was returned", { error: failure }, returned, { ...job, kind: "returned" }],
  [
    "a result after it was returned",
    { result: { timings } },
    returned,
    { ...job, kind: "completed", timings },
  ],
  ["a result after it was dropped", { result: { timings } }, dropped, null],
  ["a failure after it was dropped", { error: failure }, dropped, null],
] as const)("a job that ends with %s is reported accordingly", (_what, outcome, signal, report) => {
  expect(endReport(sampleTask(), outcome, signal)).toEqual(report);
});
