import { describe, expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { accountAtRest, ask, createJob, endOf, errorOf, runJob, showJob } from "./support/api.ts";
import { media } from "./support/target.ts";

const url = media(mediaFiles.mp3);
const slow = media(`slow/${mediaFiles.mp4}?bytes_per_second=100000`);
const stepOrder = ["Queued", "Downloading", "Muxing", "Uploading", "Finished"];

/** A job that is running and takes some more seconds. */
async function startJob(fields: object = {}): Promise<string> {
  const id = await createJob({ url: slow, ...fields });
  while ((await showJob(id)).status === "Pending");
  return id;
}

describe("a job", () => {
  test("goes from Pending to Completed, and neither step nor percentage ever goes back [lifecycle, steps, progress, job-fields]", async () => {
    const steps: number[] = [];
    const percents: number[] = [];
    const job = await endOf(await createJob({ url: slow, format: "mkv" }), ({ step, progress }) => {
      steps.push(stepOrder.indexOf(step));
      // Null until the worker has reported it, and just after the job has ended.
      if (progress !== null) percents.push(progress.percent);
    });
    expect([job.status, job.step, job.progress]).toEqual(["Completed", "Finished", null]);
    const rising = (values: readonly number[]) => values.toSorted((a, b) => a - b);
    expect(steps).toEqual(rising(steps));
    expect(percents).toEqual(rising(percents));
    expect(percents.some((percent) => percent > 0 && percent < 100)).toBe(true);
    expect(job).toMatchObject({
      attempt: 1,
      batch_id: null,
      error_code: null,
      retryable: null,
      subtitles: [],
    });
    expect(job.started_at).toBeGreaterThanOrEqual(job.created_at);
    expect(job.finished_at).toBeGreaterThanOrEqual(job.started_at);
    expect(job.timings.total_ms).toBe(job.finished_at - job.created_at);
    expect(job.media).toMatchObject({
      container: "mkv",
      video_codec: "h264",
      audio_codec: "aac",
      height: 360,
    });
  });

  test("has every field from the start, null until known, except error and storage_url [job-fields, job-optional-fields]", async () => {
    const job = await showJob(await createJob({ url: slow }));
    expect(Object.keys(job)).not.toContain("error");
    expect(Object.keys(job)).not.toContain("storage_url");
    expect(job).toMatchObject({
      url: slow,
      finished_at: null,
      storage_key: null,
      file_size: null,
      subtitle_url: null,
      thumbnail_url: null,
      media: null,
      timings: null,
    });
    await ask("POST", `/jobs/${job.id}/cancel`);
  });

  test("is found by its id in upper or lower case [job-id-case]", async () => {
    const id = await createJob({ url });
    expect((await ask("GET", `/jobs/${id.toUpperCase()}`)).body.id).toBe(id);
  });
});

describe("lists", () => {
  test("have 20 items, newest first, of the published shape [list, list-item, list-order, list-default]", async () => {
    const { body: created } = await ask("POST", "/jobs/bulk", {
      json: { jobs: Array.from({ length: 21 }, () => ({ url })) },
    });
    const { body } = await ask("GET", "/jobs");
    expect(Object.keys(body).toSorted()).toEqual(["jobs", "limit", "offset", "total"]);
    expect([body.limit, body.offset, body.jobs.length]).toEqual([20, 0, 20]);
    const ids = body.jobs.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(created.job_ids.toReversed().slice(0, 20));
    expect(Object.keys(body.jobs[0]).toSorted()).toEqual([
      "created_at",
      "error",
      "file_size",
      "finished_at",
      "id",
      "status",
      "step",
      "storage_key",
      "url",
    ]);
    const dashboard = (await ask("GET", "/dashboard/jobs")).body;
    expect(dashboard.limit).toBe(50);
    expect(dashboard.total).toBe((await ask("GET", "/jobs")).body.total);
    expect(Object.keys(dashboard.jobs[0]).toSorted()).toEqual([
      "error",
      "id",
      "status",
      "storage_key",
      "url",
    ]);
    await ask("POST", `/batch/${created.batch_id}/cancel`);
  });

  test.each(["/jobs", "/dashboard/jobs"])("%s continue where a page ended [paging]", async (path) => {
    const all = (await ask("GET", `${path}?limit=6`)).body;
    const pages = [];
    for (const offset of [0, 2, 4]) pages.push((await ask("GET", `${path}?limit=2&offset=${offset}`)).body);
    expect(pages.flatMap(({ jobs }) => jobs)).toEqual(all.jobs);
    expect(pages.map(({ total, offset }) => [total, offset])).toEqual(
      [0, 2, 4].map((offset) => [all.total, offset]),
    );
    expect((await ask("GET", `${path}?offset=${all.total}`)).body.jobs).toEqual([]);
  });

  test.each(["/jobs", "/dashboard/jobs"])(
    "%s are filtered by status, case-insensitively, and count the matches [status-filter]",
    async (path) => {
      const id = (await runJob({ url: media("status/404") })).id;
      await accountAtRest();
      const { body } = await ask("GET", `${path}?status=FAILED&limit=1`);
      expect(body.jobs[0]).toMatchObject({ id, status: "Failed" });
      const totals = [];
      for (const status of ["pending", "processing", "completed", "failed"]) {
        totals.push((await ask("GET", `${path}?status=${status}`)).body.total);
      }
      const { body: stats } = await ask("GET", "/dashboard/stats");
      expect(totals).toEqual([0, 0, stats.completed_jobs, stats.failed_jobs]);
    },
  );

  test.each([
    ["limit=0", "limit must be an integer from 1 to 100"],
    ["limit=101", "limit must be an integer from 1 to 100"],
    ["limit=x", "limit must be an integer from 1 to 100"],
    ["status=nonsense", "Invalid status (allowed: pending, processing, completed, failed)"],
    ["batch_id=nonsense", "Invalid batch id"],
  ])("reject %s [list-bad-values]", async (query, error) => {
    for (const path of ["/jobs", "/dashboard/jobs"]) {
      expect(errorOf(await ask("GET", `${path}?${query}`))).toEqual([400, error, "invalid_request"]);
    }
    expect((await ask("GET", "/jobs?offset=-1")).body.error).toMatch(
      /^offset must be an integer from 0 to \d+$/,
    );
  });

  test("find a job by its id and by the beginning of its URL [search]", async () => {
    const unique = `${url}?unique=${crypto.randomUUID()}`;
    const id = await createJob({ url: unique });
    for (const search of [id, id.toUpperCase(), unique, unique.slice(0, -4)]) {
      const { body } = await ask("GET", `/jobs?search=${encodeURIComponent(search)}`);
      expect([body.total, body.jobs[0]?.id]).toEqual([1, id]);
    }
    const { body } = await ask("GET", `/jobs?search=${encodeURIComponent(unique.slice(4))}`);
    expect(body).toMatchObject({ total: 0, jobs: [] });
  });
});

describe("cancelling", () => {
  test("ends a waiting job, which is then Failed and counts as such [cancel-pending, cancelled-job]", async () => {
    // More jobs than worker slots, so that the last one waits.
    const { body } = await ask("POST", "/jobs/bulk", {
      json: { jobs: Array.from({ length: 60 }, () => ({ url: slow })) },
    });
    const last = body.job_ids.at(-1);
    const answer = await ask("DELETE", `/jobs/${last}`);
    expect([answer.status, answer.body]).toEqual([200, { message: "Job cancelled", job_id: last }]);
    const job = await showJob(last);
    expect(job).toMatchObject({
      status: "Failed",
      step: "Finished",
      error: "Job cancelled by user",
      error_code: "cancelled",
    });
    expect(job.finished_at).toBeGreaterThanOrEqual(job.created_at);
    await ask("POST", `/batch/${body.batch_id}/cancel`);
  });

  test("by DELETE is rejected once a job is running, and by POST it stops a running job too [cancel-refused, cancel-running]", async () => {
    const id = await startJob();
    expect(errorOf(await ask("DELETE", `/jobs/${id}`))).toEqual([
      400,
      "Job cannot be cancelled (not in queue or already processing)",
      "job_not_cancellable",
    ]);
    expect((await ask("POST", `/jobs/${id}/cancel`)).body).toEqual({ message: "Job cancelled", job_id: id });
    expect(await showJob(id)).toMatchObject({ status: "Failed", error_code: "cancelled", storage_key: null });
    const again = await ask("POST", `/jobs/${id}/cancel`);
    expect(errorOf(again)).toEqual([400, "Job has already ended", "job_not_cancellable"]);
    expect(errorOf(await ask("DELETE", `/jobs/${id}`))[2]).toBe("job_not_cancellable");
  });
});

describe("a retry", () => {
  test("queues a new job with the original's options, and leaves the original unchanged [retry, retry-options, retry-usage]", async () => {
    const folder = `retry-${crypto.randomUUID()}`;
    const original = await runJob({
      url: media("status/404"),
      folder,
      filename: "Again",
      format: "mkv",
      audio_bitrate: "64k",
    });
    const usage = (await ask("GET", "/usage")).body.usage_count;
    const { status, body } = await ask("POST", `/jobs/${original.id}/retry`);
    expect(status).toBe(200);
    expect(body).toEqual({
      job_id: expect.any(String),
      original_job_id: original.id,
      message: "Job queued for retry",
    });
    expect(body.job_id).not.toBe(original.id);
    expect((await showJob(body.job_id)).options).toEqual(original.options);
    expect(await showJob(original.id)).toEqual(original);
    expect((await ask("GET", "/usage")).body.usage_count).toBe(usage + 1);
  });

  test("is allowed for failed jobs only [retry-refused]", async () => {
    const { id } = await runJob({ url });
    const answer = await ask("POST", `/jobs/${id}/retry`);
    expect(errorOf(answer)).toEqual([400, "Only failed jobs can be retried", "job_not_retryable"]);
  });
});

describe("deleting a file", () => {
  test("deletes it permanently, and keeps the job, its size and the usage [delete-file, delete-usage]", async () => {
    await accountAtRest();
    const job = await runJob({ url, folder: `delete-${crypto.randomUUID()}` });
    const usage = (await ask("GET", "/usage")).body;
    const { status, body } = await ask("DELETE", `/jobs/${job.id}/file`);
    expect([status, body]).toEqual([
      200,
      { message: "File deleted", job_id: job.id, deleted_key: job.storage_key },
    ]);
    expect((await fetch(job.storage_url)).status).toBe(404);
    const after = await showJob(job.id);
    expect(after).toMatchObject({ status: "Completed", storage_key: null, file_size: job.file_size });
    expect(Object.keys(after)).not.toContain("storage_url");
    expect((await ask("GET", `/jobs?search=${job.id}`)).body.jobs[0].storage_key).toBe(null);
    expect((await ask("GET", "/usage")).body).toEqual(usage);
  });

  test("is rejected if there is none [delete-refused]", async () => {
    const deleted = await runJob({ url, folder: `delete-${crypto.randomUUID()}` });
    await ask("DELETE", `/jobs/${deleted.id}/file`);
    const failed = await runJob({ url: media("status/404") });
    for (const { id } of [deleted, failed]) {
      const answer = await ask("DELETE", `/jobs/${id}/file`);
      expect(errorOf(answer)).toEqual([400, "Job has no file to delete", "job_has_no_file"]);
    }
  });
});
