import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { answerTo, createFerry, createJob, type Ferry, waitForJob } from "../../client/ferry-client.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import type { Origin } from "../../scripts/origin/serve-origin.ts";
import { startTestOrigin } from "../origin/test-origin.ts";
import { type SecondStorage, startSecondStorage } from "../processor/upload/second-storage.ts";
import { useSharedSystem } from "./support/shared-system.ts";

let origin: Origin;
let ferry: Ferry;
let storage: SecondStorage;

beforeAll(async () => {
  [origin, storage] = await Promise.all([startTestOrigin(), startSecondStorage()]);
  const system = await useSharedSystem("cancel");
  ferry = createFerry({ baseUrl: system.url, apiKey: system.apiKey });
  await answerTo(ferry.POST("/user/bucket", { body: storage.access }));
});
afterAll(async () => {
  await Promise.all([origin.close(), storage.close()]);
});

const patience = { timeout: 60_000, interval: 200 };
const clusterTotal = async () => {
  const counts = await answerTo(ferry.GET("/dashboard/cluster"));
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
};

test("a job cancelled during its download leaves its node, and leaves no file", async () => {
  const url = `${origin.url}/slow/${mediaFiles.mp4}?bytes_per_second=2000`;
  const id = await createJob(ferry, { url, filename: "cancelled" });
  const path = { id };
  await vi.waitFor(async () => expect(await clusterTotal()).toBe(1), patience);

  await answerTo(ferry.POST("/jobs/{id}/cancel", { params: { path } }));
  expect(await waitForJob(ferry, id)).toMatchObject({
    status: "Failed",
    error_code: "cancelled",
  });
  await vi.waitFor(async () => expect(await clusterTotal()).toBe(0), patience);

  const { endpoint, region, bucket, access_key_id, secret_access_key } = storage.access;
  const credentials = { accessKeyId: access_key_id, secretAccessKey: secret_access_key };
  const inBucket = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  const file = new GetObjectCommand({ Bucket: bucket, Key: "cancelled.mp4" });
  await expect(inBucket.send(file)).rejects.toThrow("The specified key does not exist");
  inBucket.destroy();
});

test("a bulk request's jobs end one by one, and its batch when all have ended", async () => {
  const jobs = [
    { url: `${origin.url}/${mediaFiles.mp4}`, filename: "same" },
    { url: `${origin.url}/${mediaFiles.mp4}`, filename: "same" },
    { url: `${origin.url}/status/404`, filename: "missing" },
  ];
  const bulk = await answerTo(ferry.POST("/jobs/bulk", { body: { jobs, folder: "bulk" } }));
  await Promise.all(bulk.job_ids.map((id) => waitForJob(ferry, id, { intervalMs: 100 })));
  const params = { path: { id: bulk.batch_id } };
  expect(await answerTo(ferry.GET("/batch/{id}", { params }))).toEqual({
    id: bulk.batch_id,
    show_url: null,
    folder: "bulk",
    status: "finished",
    total_episodes: 3,
    completed_episodes: 2,
    failed_episodes: 1,
    episode_jobs: bulk.job_ids,
  });
  const query = { batch_id: bulk.batch_id, status: "completed" } as const;
  const list = await answerTo(ferry.GET("/jobs", { params: { query } }));
  expect(list.total).toBe(2);
  expect(new Set(list.jobs.map(({ storage_key }) => storage_key))).toEqual(
    new Set(["bulk/same (2).mp4", "bulk/same.mp4"]),
  );
  const { daily_stats: days } = await answerTo(ferry.GET("/dashboard/daily"));
  expect(days.at(-1)).toMatchObject({ completed: 2, failed: 1 });
});
