import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { countersOf } from "../support/test-account.ts";
import { createTestAccount, createTestApi, type TestApi } from "../support/test-api.ts";

const asked = {
  url: "https://media.example/a.mp4",
  format: "mkv",
  video_codec: "h264",
  audio_codec: "opus",
  audio_bitrate: "320k",
  video_quality: 0,
  filename: "My film",
  folder: "a/b",
  webhook_url: "https://client.example/hook",
  audio_only: true,
  download_subtitles: true,
  download_thumbnail: true,
  quality_preset: "low",
};

async function failedJob(api: TestApi, fields: object = asked): Promise<string> {
  const { body } = await api.call("POST", "/jobs", { json: fields });
  await api.call("DELETE", `/jobs/${body.job_id}`);
  return body.job_id;
}

describe("POST /jobs/{id}/retry", () => {
  it("queues a new job with the failed one's options, and does not change the failed one", async () => {
    const api = await createTestApi();
    const id = await failedJob(api);
    const original = (await api.call("GET", `/jobs/${id}`)).body;
    api.clock.now += 1000;
    const { status, body } = await api.call("POST", `/jobs/${id.toUpperCase()}/retry`);
    expect(status).toBe(200);
    expect(body).toEqual({ job_id: body.job_id, original_job_id: id, message: "Job queued for retry" });
    expect(body.job_id).not.toBe(id);
    expect((await api.call("GET", `/jobs/${id}`)).body).toEqual(original);
    expect((await api.call("GET", `/jobs/${body.job_id}`)).body).toMatchObject({
      url: original.url,
      options: original.options,
      status: "Pending",
      created_at: api.clock.now,
      attempt: 0,
      error_code: null,
    });
    expect(original.options).toMatchObject({ folder: "a/b", webhook_url: asked.webhook_url });
  });

  it("counts as usage", async () => {
    const api = await createTestApi();
    const id = await failedJob(api);
    await api.call("POST", `/jobs/${id}/retry`);
    expect(await countersOf(api.dependencies, api.account.id)).toMatchObject({
      jobs_created: 2,
      pending: 1,
      failed: 1,
    });
  });

  it("creates a single job from a batch's job, and does not change the batch", async () => {
    const api = await createTestApi();
    const { body: bulk } = await api.call("POST", "/jobs/bulk", { json: { jobs: [{ url: asked.url }] } });
    const [id] = bulk.job_ids;
    await api.dependencies.database.run(
      sql`UPDATE jobs SET webhook_url = 'https://b.example' WHERE id = ${id}`,
    );
    await api.call("DELETE", `/jobs/${id}`);
    const before = (await api.call("GET", `/batch/${bulk.batch_id}`)).body;
    const { body } = await api.call("POST", `/jobs/${id}/retry`);
    expect((await api.call("GET", `/jobs/${body.job_id}`)).body).toMatchObject({
      batch_id: null,
      options: { webhook_url: null },
    });
    await api.call("DELETE", `/jobs/${body.job_id}`);
    expect((await api.call("GET", `/batch/${bulk.batch_id}`)).body).toEqual(before);
  });

  it("uses the storage that is current for new jobs", async () => {
    const api = await createTestApi();
    const id = await failedJob(api);
    await api.dependencies.database.run(
      sql`UPDATE accounts SET storage_location_id = 77 WHERE id = ${api.account.id}`,
    );
    const { body } = await api.call("POST", `/jobs/${id}/retry`);
    const rows = await api.dependencies.database.all(
      sql`SELECT storage_location_id AS location FROM jobs WHERE id = ${body.job_id}`,
    );
    expect(rows).toEqual([{ location: 77 }]);
  });

  it("can be repeated", async () => {
    const api = await createTestApi();
    const id = await failedJob(api);
    const first = await api.call("POST", `/jobs/${id}/retry`);
    const second = await api.call("POST", `/jobs/${id}/retry`);
    expect(second.body.job_id).not.toBe(first.body.job_id);
  });

  it.each(["Pending", "Processing", "Completed"])("rejects a job that is %s", async (status) => {
    const api = await createTestApi();
    const id = await failedJob(api);
    await api.dependencies.database.run(sql`UPDATE jobs SET status = ${status} WHERE id = ${id}`);
    const answer = await api.call("POST", `/jobs/${id}/retry`);
    expect([answer.status, answer.body.error, answer.body.code]).toEqual([
      400,
      "Only failed jobs can be retried",
      "job_not_retryable",
    ]);
    expect(await countersOf(api.dependencies, api.account.id)).toMatchObject({ jobs_created: 1 });
  });

  it("gives the same response for another account's job as for a missing one", async () => {
    const api = await createTestApi();
    const id = await failedJob(api);
    const other = await createTestAccount(api.dependencies);
    const theirs = await api.send("POST", `/jobs/${id}/retry`, { headers: { "x-api-key": other.key } });
    const none = await api.call("POST", "/jobs/00000000-0000-0000-0000-000000000001/retry");
    expect([theirs.status, theirs.body.error]).toEqual([404, "Job not found"]);
    expect({ ...theirs.body, request_id: "" }).toEqual({ ...none.body, request_id: "" });
    expect((await api.call("POST", "/jobs/no-id/retry")).body.error).toBe("Invalid job id");
  });
});
