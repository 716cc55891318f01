import { beforeEach, expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { accountAtRest, ask, createJob, runJob } from "./support/api.ts";
import { media } from "./support/target.ts";

const url = media(mediaFiles.mp3);
const read = async (path: string) => (await ask("GET", path)).body;

beforeEach(accountAtRest);

test("usage counts every job created, and stored bytes in units of 10^9 [usage, usage-count, usage-storage]", async () => {
  const before = await read("/usage");
  expect(before.client_name).toMatch(/\S/);
  const { file_size: bytes } = await runJob({ url });
  await runJob({ url: media("status/404") });
  const after = await read("/usage");
  expect(after.usage_count).toBe(before.usage_count + 2);
  expect(after.storage_usage_gb).toBeCloseTo(before.storage_usage_gb + bytes / 1e9, 12);
});

test("stats count jobs by status, and the same bytes [stats]", async () => {
  const before = await read("/dashboard/stats");
  expect(Object.keys(before).toSorted()).toEqual([
    "client_name",
    "completed_jobs",
    "failed_jobs",
    "pending_jobs",
    "processing_jobs",
    "storage_used_bytes",
    "storage_used_gb",
    "total_jobs",
  ]);
  const { file_size: bytes } = await runJob({ url });
  await runJob({ url: media("status/404") });
  const after = await read("/dashboard/stats");
  expect(after).toMatchObject({
    total_jobs: before.total_jobs + 2,
    completed_jobs: before.completed_jobs + 1,
    failed_jobs: before.failed_jobs + 1,
    storage_used_bytes: before.storage_used_bytes + bytes,
  });
  expect(after.storage_used_gb).toBeCloseTo(after.storage_used_bytes / 1e9, 12);
  expect(after.client_name).toBe((await read("/usage")).client_name);
});

test("daily statistics are the last seven UTC days, and count no cancelled job [daily, daily-cancelled]", async () => {
  const today = async () => (await read("/dashboard/daily")).daily_stats.at(-1);
  const before = await today();
  await runJob({ url });
  await runJob({ url: media("status/404") });
  const slow = await createJob({ url: media(`slow/${mediaFiles.mp4}?bytes_per_second=100000`) });
  await ask("POST", `/jobs/${slow}/cancel`);
  const after = await today();
  // At midnight, a new day starts between the two requests.
  const counted = after.date === before.date ? before : { completed: 0, failed: 0 };
  expect(after.completed).toBeLessThanOrEqual(counted.completed + 1);
  expect(after.failed).toBeLessThanOrEqual(counted.failed + 1);
  if (after.date === before.date) {
    expect(after).toEqual({ date: before.date, completed: before.completed + 1, failed: before.failed + 1 });
  }
  const { daily_stats: days } = await read("/dashboard/daily");
  const dates = days.map(({ date }: { date: string }) => date);
  const last = Date.parse(dates.at(-1));
  const expected = Array.from({ length: 7 }, (_, index) =>
    new Date(last - (6 - index) * 86_400_000).toISOString().slice(0, 10),
  );
  expect(dates).toEqual(expected);
  expect(Math.abs(Date.now() - last)).toBeLessThan(2 * 86_400_000);
});

test("the cluster counts jobs by their current step [cluster]", async () => {
  const counts = await read("/dashboard/cluster");
  expect(Object.keys(counts).toSorted()).toEqual(["total_downloading", "total_muxing", "total_uploading"]);
  const id = await createJob({ url: media(`slow/${mediaFiles.mp4}?bytes_per_second=100000`) });
  while ((await read("/dashboard/cluster")).total_downloading === 0) await read("/health");
  await ask("POST", `/jobs/${id}/cancel`);
});
