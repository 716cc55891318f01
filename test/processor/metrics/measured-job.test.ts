import { afterAll, beforeAll, expect, test } from "vitest";
import { pino } from "pino";
import { addResourceGauges } from "../../../processor/metrics/gauges.ts";
import { measuredJob } from "../../../processor/metrics/measured-job.ts";
import { createMetrics } from "../../../processor/metrics/metrics.ts";
import { timedPlaces } from "../../../processor/metrics/timed-places.ts";
import { runJob } from "../../../processor/pipeline/run-job.ts";
import { createRecordingLink } from "../pipeline/recording-link.ts";
import { startTestJobs, type TestJobs } from "../pipeline/test-jobs.ts";
import { sampleTask } from "../sample-task.ts";
import { parseExposition, valueOf } from "./parse-exposition.ts";

let jobs: TestJobs;

beforeAll(async () => {
  jobs = await startTestJobs();
});
afterAll(() => jobs.close());

test("the jobs' bytes and times are counted", async () => {
  const metrics = createMetrics();
  const now = () => performance.now();
  const downloads = timedPlaces(jobs.tools.places.downloads, now, (waitedMs) =>
    metrics.placeWaitSeconds.observe({ place: "download" }, waitedMs / 1000),
  );
  const tools = { ...jobs.tools, places: { ...jobs.tools.places, downloads } };
  const memory = { download: tools.downloadMemory, upload: tools.partMemory };
  addResourceGauges(metrics.registry, { places: tools.places, memory, workFolder: tools.workFolder });
  const run = measuredJob((task, around) => runJob(task, around, tools), metrics, now);

  const ended = await Promise.all(
    ["episode.mp3", "progressive.mp4"].map(async (path, index) => {
      const link = createRecordingLink(`measured-${index}`);
      const task = sampleTask({
        job_id: `measured-${index}`,
        url: `${jobs.origin.url}/${path}`,
        storage: jobs.storage.access,
      });
      const signal = new AbortController().signal;
      const { timings } = await run(task, { link, signal, log: pino({ enabled: false }) });
      return {
        timings,
        bytes: link.facts.at(-1)?.file_size ?? 0,
        received: link.progress.at(-1)?.bytes_downloaded ?? 0,
      };
    }),
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

  const samples = parseExposition(await metrics.registry.metrics());
  expect(valueOf(samples, "ferry_jobs_ended_total", { outcome: "completed" })).toBe(2);
  expect(valueOf(samples, "ferry_stored_bytes_total")).toBe(sum(ended.map(({ bytes }) => bytes)));
  expect(valueOf(samples, "ferry_source_bytes_total")).toBe(sum(ended.map(({ received }) => received)));
  expect(valueOf(samples, "ferry_source_bytes_total")).toBeGreaterThan(0);
  expect(valueOf(samples, "ferry_stage_duration_seconds_sum", { stage: "upload" })).toBeCloseTo(
    sum(ended.map(({ timings }) => timings.upload_ms)) / 1000,
  );
  expect(valueOf(samples, "ferry_place_wait_seconds_count", { place: "download" })).toBe(2);
  expect(valueOf(samples, "ferry_places", { place: "download" })).toBe(8);
  expect(valueOf(samples, "ferry_places_used", { place: "download" })).toBe(0);
  expect(valueOf(samples, "ferry_memory_budget_bytes", { use: "upload" })).toBe(96 * 1024 * 1024);
  expect(valueOf(samples, "ferry_memory_used_bytes", { use: "upload" })).toBe(0);
  expect(valueOf(samples, "ferry_disk_bytes", { state: "free" })).toBeGreaterThan(0);
});
