import { describe, expect, it } from "vitest";
import { countersOf } from "../support/test-account.ts";
import { createTestApi } from "../support/test-api.ts";

const api = await createTestApi();
const url = "https://media.example/a.mp4";
const post = (json: object) => api.call("POST", "/jobs/bulk", { json });
const detailsOf = async (json: object) => {
  const { status, body } = await post(json);
  expect(status).toBe(400);
  expect(body.error).toBe(body.details[0].message);
  return body.details.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`);
};

describe("POST /jobs/bulk", () => {
  it("queues a job for each item in order, with the shared options, in one batch", async () => {
    const options = {
      format: "mkv",
      video_codec: "h264",
      audio_codec: "opus",
      audio_bitrate: "320k",
      video_quality: 51,
      audio_only: true,
      download_subtitles: true,
      download_thumbnail: true,
      quality_preset: "low",
    };
    const items = [
      { url: `${url}?1`, filename: "First" },
      { url: `${url}?2` },
      { url: `${url}?3`, filename: "" },
    ];
    const { status, body } = await post({ jobs: items, folder: "a/b/", ...options });
    expect(status).toBe(200);
    expect(body).toEqual({ batch_id: body.batch_id, total_jobs: 3, job_ids: body.job_ids });
    expect(new Set([...body.job_ids, body.batch_id]).size).toBe(4);
    const jobs = await Promise.all(body.job_ids.map((id: string) => api.call("GET", `/jobs/${id}`)));
    expect(jobs.map((job) => [job.body.url, job.body.options.filename])).toEqual([
      [`${url}?1`, "First"],
      [`${url}?2`, null],
      [`${url}?3`, null],
    ]);
    for (const job of jobs) {
      expect(job.body).toMatchObject({ status: "Pending", batch_id: body.batch_id });
      expect(job.body.options).toMatchObject({ ...options, folder: "a/b", webhook_url: null });
    }
    expect((await api.call("GET", `/batch/${body.batch_id}`)).body).toEqual({
      id: body.batch_id,
      show_url: null,
      status: "processing",
      folder: "a/b",
      total_episodes: 3,
      completed_episodes: 0,
      failed_episodes: 0,
      episode_jobs: body.job_ids,
    });
  });

  it("counts each of up to 100 jobs", async () => {
    const before = await countersOf(api.dependencies, api.account.id);
    const { body } = await post({ jobs: Array.from({ length: 100 }, () => ({ url })) });
    expect([body.total_jobs, body.job_ids.length]).toEqual([100, 100]);
    const after = await countersOf(api.dependencies, api.account.id);
    expect(after?.["jobs_created"]).toBe((before?.["jobs_created"] ?? 0) + 100);
    expect(after?.["pending"]).toBe((before?.["pending"] ?? 0) + 100);
  });

  it.each([
    [{}, "No jobs provided"],
    [{ jobs: null }, "No jobs provided"],
    [{ jobs: "" }, "No jobs provided"],
    [{ jobs: [] }, "No jobs provided"],
    [{ jobs: {} }, "jobs must be an array"],
    [{ jobs: "https://a.example" }, "jobs must be an array"],
    [{ jobs: Array.from({ length: 101 }, () => ({})) }, "Too many jobs (max 100)"],
  ])("rejects an invalid list (%#)", async (body, error) => {
    expect(await detailsOf(body)).toEqual([`jobs: ${error}`]);
  });

  it("creates nothing if one item is invalid, and names each by its index", async () => {
    const before = await countersOf(api.dependencies, api.account.id);
    const jobs = [
      { url },
      { url: "" },
      { filename: "x" },
      { url: 5 },
      { url: "ftp://a.example" },
      { url: "http://10.0.0.1/" },
      { url, filename: 7 },
      "https://a.example",
      null,
      { url, folder: "x" },
    ];
    expect(await detailsOf({ jobs })).toEqual([
      "jobs.1.url: Missing url",
      "jobs.2.url: Missing url",
      "jobs.3.url: url must be a string",
      "jobs.4.url: Invalid URL",
      "jobs.5.url: URL not allowed",
      "jobs.6.filename: filename must be a string",
      "jobs.7: jobs.7 must be an object",
      "jobs.8: jobs.8 must be an object",
      "jobs.9.folder: Unknown field: folder",
    ]);
    expect(await countersOf(api.dependencies, api.account.id)).toEqual(before);
  });

  it("rejects a URL declared to be a show, and takes one that is only named like a feed", async () => {
    const jobs = [{ url: `${url}/feed.rss` }, { url: "https://podcasts.apple.com/us/podcast/a/id42" }];
    expect(await detailsOf({ jobs })).toEqual([
      "jobs.1.url: Podcast shows are not supported in bulk requests",
    ]);
    expect((await post({ jobs: jobs.slice(0, 1) })).status).toBe(200);
  });

  it("rejects webhooks, and takes an empty one as omitted", async () => {
    const message = "webhook_url: Webhooks are not supported in bulk requests";
    for (const webhook_url of ["https://client.example/", 1, {}]) {
      expect(await detailsOf({ jobs: [{ url }], webhook_url })).toEqual([message]);
    }
    for (const webhook_url of [null, ""]) {
      expect((await post({ jobs: [{ url }], webhook_url })).status).toBe(200);
    }
  });

  it("validates the list, then the shared options, their combination and unknown fields", async () => {
    const wrong = { nope: 1, audio_only: 1, format: "avi", folder: "/a", jobs: [{ url: "x" }] };
    expect(await detailsOf(wrong)).toEqual([
      "jobs.0.url: Invalid URL",
      "folder: Folder must not start with /",
      "format: Invalid format (allowed: mp4, mkv, webm, mov, mp3)",
      "audio_only: audio_only must be a boolean",
      "nope: Unknown field: nope",
    ]);
    expect(await detailsOf({ jobs: [{ url }], format: "webm", audio_codec: "mp3", url })).toEqual([
      "audio_codec: Format webm does not support audio_codec mp3",
      "url: Unknown field: url",
    ]);
  });
});
