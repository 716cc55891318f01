import { afterEach, beforeEach, expect, test } from "vitest";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { freePort, startFakeEdge, type FakeEdge } from "../fake-edge.ts";
import { sampleTask } from "../sample-task.ts";
import { makeNode, runOf, type TestNode, until } from "../test-node.ts";
import { parseExposition, type Sample, valueOf } from "./parse-exposition.ts";

let edge: FakeEdge;
let node: TestNode;
let metricsUrl: string;

beforeEach(async () => {
  edge = await startFakeEdge();
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  node = await makeNode(edge, { METRICS_PORT: String(port), PROCESSOR_SLOTS: "6" });
  await node.start();
});
afterEach(async () => {
  await node.drain();
  await edge.close();
});

async function scrape(): Promise<Sample[]> {
  const response = await fetch(metricsUrl);
  expect(response.headers.get("content-type")).toContain("text/plain");
  return parseExposition(await response.text());
}

const ids = ["completes", "fails", "breaks", "is-dropped", "goes-on"] as const;

async function startJobs(): Promise<void> {
  await until(() => edge.heartbeats.length > 0);
  await edge.postTasks(
    node.address,
    ids.map((job_id) => sampleTask({ job_id })),
  );
  await runOf(node, ids.length - 1);
}

test("the metrics show how each job ended, and what the node still holds", async () => {
  await startJobs();
  const [completes, fails, breaks, isDropped] = await Promise.all(ids.map((_, index) => runOf(node, index)));
  completes?.complete();
  fails?.fail(new JobFailure("rate_limited"));
  breaks?.fail(new TypeError("a bug"));
  if (isDropped) edge.cancel = [{ account_id: "account-1", job_id: isDropped.task.job_id, claim: 1 }];
  await until(() => edge.reports().length === 3 && isDropped?.signal.aborted === true);

  const samples = await scrape();
  const ended = (outcome: string) => valueOf(samples, "ferry_jobs_ended_total", { outcome });
  expect([ended("completed"), ended("failed"), ended("returned"), ended("dropped")]).toEqual([1, 2, 0, 1]);
  const failed = (code: string) => valueOf(samples, "ferry_job_failures_total", { code });
  expect([failed("rate_limited"), failed("internal"), failed("source_error")]).toEqual([1, 1, 0]);
  expect(valueOf(samples, "ferry_job_duration_seconds_count", { outcome: "failed" })).toBe(2);
  const stageSeconds = (stage: string) => valueOf(samples, "ferry_stage_duration_seconds_sum", { stage });
  expect([stageSeconds("download"), stageSeconds("mux"), stageSeconds("upload")]).toEqual([
    0.001, 0.002, 0.003,
  ]);
  expect(valueOf(samples, "ferry_slots", { state: "total" })).toBe(6);
  expect(valueOf(samples, "ferry_jobs", { step: "downloading" })).toBe(1);
});

test("the metrics have few series, and none with a job, an account, an address or a key", async () => {
  await startJobs();
  (await runOf(node, 0)).complete();
  await until(() => edge.reports().length === 1);
  const samples = await scrape();
  const text = JSON.stringify(samples);
  for (const hidden of [...ids, "account-1", "127.0.0.1", "of-the-test"]) expect(text).not.toContain(hidden);
  const ferry = samples.filter(({ name }) => name.startsWith("ferry_"));
  expect(ferry.length).toBeLessThan(200);
  const labels = new Set(ferry.flatMap((sample) => Object.keys(sample.labels)));
  expect([...labels].sort()).toEqual(["code", "le", "outcome", "stage", "state", "step"]);
});

test("the metrics are on their own port only, and end with the node", async () => {
  expect((await fetch(`${node.address}/metrics`)).status).toBe(404);
  await node.drain();
  await expect(fetch(metricsUrl)).rejects.toThrow("fetch failed");
});
