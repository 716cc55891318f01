import { describe, expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { ask, askUntil, endOf, errorOf, showJob } from "./support/api.ts";
import { media } from "./support/target.ts";

const url = media(mediaFiles.mp3);
const bulk = (json: object) => ask("POST", "/jobs/bulk", { json });
const items = (count: number) => Array.from({ length: count }, () => ({ url }));

test("creates a job for each item, with its own name and the shared options [bulk, bulk-shared-options]", async () => {
  const folder = `bulk-${crypto.randomUUID()}`;
  const jobs = [
    { url, filename: "One" },
    { url: media(mediaFiles.m4a), filename: "Two" },
  ];
  const { body } = await bulk({ jobs, folder, format: "mkv", audio_bitrate: "64k" });
  expect(Object.keys(body).toSorted()).toEqual(["batch_id", "job_ids", "total_jobs"]);
  expect([body.total_jobs, body.job_ids.length]).toEqual([2, 2]);
  const [one, two] = await Promise.all(body.job_ids.map((id: string) => endOf(id)));
  expect([one.url, two.url]).toEqual(jobs.map((job) => job.url));
  expect([one.storage_key, two.storage_key]).toEqual([`${folder}/One.mkv`, `${folder}/Two.mkv`]);
  for (const { batch_id: batchId, options } of [one, two]) {
    expect(batchId).toBe(body.batch_id);
    expect(options).toMatchObject({ folder, format: "mkv", audio_bitrate: "64k" });
  }
});

test("each of up to 100 jobs counts as one [bulk-max, bulk-usage]", async () => {
  const before = (await ask("GET", "/usage")).body.usage_count;
  const { body } = await bulk({ jobs: items(100) });
  expect(body.total_jobs).toBe(100);
  expect((await ask("GET", "/usage")).body.usage_count).toBe(before + 100);
  await ask("POST", `/batch/${body.batch_id}/cancel`);
  expect(errorOf(await bulk({ jobs: items(101) }))[1]).toBe("Too many jobs (max 100)");
});

test.each([[{}], [{ jobs: null }], [{ jobs: [] }]])("%j provides no jobs [bulk-empty]", async (body) => {
  expect(errorOf(await bulk(body))).toEqual([400, "No jobs provided", "invalid_request"]);
});

describe("a bulk request", () => {
  test("with one invalid item creates nothing [bulk-all-or-none]", async () => {
    const before = (await ask("GET", "/jobs")).body.total;
    const { status, body } = await bulk({ jobs: [{ url }, { url: "nonsense" }, { url: "" }] });
    expect(status).toBe(400);
    expect(body.details).toEqual([
      { path: "jobs.1.url", message: "Invalid URL" },
      { path: "jobs.2.url", message: "Missing url" },
    ]);
    expect((await ask("GET", "/jobs")).body.total).toBe(before);
  });

  test("accepts no webhook [bulk-webhook]", async () => {
    const answer = await bulk({ jobs: items(1), webhook_url: "https://client.example/hook" });
    expect(errorOf(answer)[1]).toBe("Webhooks are not supported in bulk requests");
  });

  test("accepts no URL that is declared to be a show [bulk-show]", async () => {
    const answer = await bulk({ jobs: [{ url: "https://podcasts.apple.com/us/podcast/id1200361736" }] });
    expect(errorOf(answer)[1]).toBe("Podcast shows are not supported in bulk requests");
  });

  test("follows the rules of POST /jobs for shared options [bulk-rules]", async () => {
    const refusal = async (fields: object) => (await bulk({ jobs: items(1), ...fields })).body.error;
    expect(await refusal({ folder: "/a" })).toBe("Folder must not start with /");
    expect(await refusal({ format: "webm", audio_codec: "aac" })).toBe(
      "Format webm does not support audio_codec aac",
    );
    expect(await refusal({ filename: "shared" })).toBe("Unknown field: filename");
    expect(await refusal({ jobs: "all" })).toBe("jobs must be an array");
  });
});

describe("a batch", () => {
  const run = async (urls: string[], folder?: string) => {
    const { body } = await bulk({ jobs: urls.map((one) => ({ url: one })), ...(folder && { folder }) });
    return askUntil(`/batch/${body.batch_id}`, ({ status }) => status !== "processing");
  };

  test("of a bulk request has no show, and is completed if no job failed [batch, batch-of-bulk, batch-completed]", async () => {
    const folder = `batch-${crypto.randomUUID()}`;
    const batch = await run([url, url], folder);
    expect(batch).toMatchObject({ show_url: null, folder, status: "completed", total_episodes: 2 });
    expect(batch).toMatchObject({ completed_episodes: 2, failed_episodes: 0 });
    expect(batch.episode_jobs).toHaveLength(2);
    const { body } = await ask("GET", `/jobs?batch_id=${batch.id}`);
    expect(body.jobs.map(({ id }: { id: string }) => id).toSorted()).toEqual(batch.episode_jobs.toSorted());
  });

  test("without a folder has an empty one, and is finished if a job failed [batch-folder, batch-finished]", async () => {
    const batch = await run([url, media("status/404")]);
    expect(batch).toMatchObject({
      folder: "",
      status: "finished",
      completed_episodes: 1,
      failed_episodes: 1,
    });
  });

  test("that is cancelled ends its unfinished jobs, and then itself [batch-cancel, batch-cancelled-failed]", async () => {
    const slow = media(`slow/${mediaFiles.mp4}?bytes_per_second=100000`);
    const { body } = await bulk({ jobs: [{ url: slow }, { url: slow }, { url: slow }] });
    const cancelled = await ask("POST", `/batch/${body.batch_id}/cancel`);
    expect(cancelled.body).toEqual({ message: "Batch cancelled", batch_id: body.batch_id, cancelled: 3 });
    const batch = await askUntil(`/batch/${body.batch_id}`, ({ status }) => status !== "processing");
    expect(batch).toMatchObject({ status: "finished", failed_episodes: 3 });
    expect((await showJob(body.job_ids[0])).error_code).toBe("cancelled");
    expect((await ask("POST", `/batch/${body.batch_id}/cancel`)).body.cancelled).toBe(0);
  });

  test("is not changed by a retry of its job, which is not in a batch [batch-retry]", async () => {
    const batch = await run([media("status/404")]);
    const { body } = await ask("POST", `/jobs/${batch.episode_jobs[0]}/retry`);
    expect((await endOf(body.job_id)).batch_id).toBe(null);
    expect((await ask("GET", `/batch/${batch.id}`)).body).toEqual(batch);
  });

  test("of a bulk request is not listed among the shows [batches-shows-only]", async () => {
    const batch = await run([url]);
    const { body } = await ask("GET", "/dashboard/batches");
    expect(body.batches.map(({ id }: { id: string }) => id)).not.toContain(batch.id);
  });
});
