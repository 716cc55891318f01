import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Progress } from "../../../contracts/heartbeat.ts";
import type { LiveState } from "../../../edge/cluster/job-news.ts";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { createTestAccount, createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";
const progress: Progress = {
  percent: 42.5,
  bytes_downloaded: 1000,
  bytes_total: null,
  speed_bytes_per_second: 10,
  eta_seconds: null,
};

const live: LiveState = { kind: "live", claim: 0, sequence: 1, step: "Uploading", progress };

async function createJob(api: TestApi, fields: object = {}): Promise<string> {
  const { body } = await api.call("POST", "/jobs", { json: { url, ...fields } });
  return body.job_id;
}
/** Writes what dispatch and reports would have written. */
async function set(api: TestApi, id: string, values: Record<string, string | number | null>): Promise<void> {
  for (const [column, value] of Object.entries(values)) {
    await api.dependencies.database.run(
      sql`UPDATE jobs SET ${sql.identifier(column)} = ${value} WHERE id = ${id}`,
    );
  }
}
/** The only call that the route makes. */
const registryThat = (liveState: () => Promise<LiveState | null>) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stub can only be made by its namespace
  ({ liveState }) as unknown as Dependencies["registry"];

const completed = {
  status: "Completed",
  step: "Finished",
  storage_key: "shows/It's a + b (1).mp4",
  file_size: 12_345,
  media: JSON.stringify({
    container: "mp4",
    duration_seconds: 10.5,
    width: 1920,
    height: 1080,
    video_codec: "h264",
    audio_codec: "aac",
    bitrate_bps: 1_000_000,
  }),
  sidecars: JSON.stringify([
    { kind: "subtitle", language: "en", storage_key: "shows/a.en.vtt", bytes: 10 },
    { kind: "subtitle", language: "de", storage_key: "shows/a.de.vtt", bytes: 10 },
    { kind: "thumbnail", language: null, storage_key: "shows/a.jpg", bytes: 10 },
  ]),
  preferred_subtitle: "shows/a.de.vtt",
  timings: JSON.stringify({ download_ms: 500, mux_ms: 40, upload_ms: 300 }),
};

describe("GET /jobs/{id}", () => {
  it("shows a new job with all fields, null if not yet known", async () => {
    const api = await createTestApi();
    const id = await createJob(api);
    const { status, body } = await api.call("GET", `/jobs/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      url,
      status: "Pending",
      step: "Queued",
      subtitle_url: null,
      thumbnail_url: null,
      subtitles: null,
      error_code: null,
      retryable: null,
      created_at: api.clock.now,
      started_at: null,
      finished_at: null,
      attempt: 0,
      batch_id: null,
      storage_key: null,
      file_size: null,
      options: {
        format: "mp4",
        video_codec: "copy",
        audio_codec: "copy",
        audio_bitrate: "192k",
        video_quality: 23,
        filename: null,
        folder: null,
        webhook_url: null,
        audio_only: false,
        download_subtitles: false,
        download_thumbnail: false,
        quality_preset: null,
      },
      media: null,
      progress: null,
      timings: null,
    });
  });

  it("shows the requested options, and a preset's own quality", async () => {
    const api = await createTestApi();
    const given = {
      format: "webm",
      video_codec: "vp9",
      audio_codec: "opus",
      audio_bitrate: "64k",
      filename: "n",
      folder: "f",
      webhook_url: "https://client.example/",
      audio_only: true,
      download_subtitles: true,
      download_thumbnail: true,
      quality_preset: "low",
    };
    const { body } = await api.call("GET", `/jobs/${await createJob(api, given)}`);
    expect(body.options).toEqual({ ...given, video_quality: 28 });
  });

  it("shows progress while the job is processing, without key and file", async () => {
    const api = await createTestApi({ registry: registryThat(async () => live) });
    const id = await createJob(api);
    await set(api, id, {
      ...completed,
      status: "Processing",
      step: "Uploading",
      started_at: api.clock.now + 5,
      interruptions: 1,
    });
    const { body } = await api.call("GET", `/jobs/${id}`);
    expect(body).toMatchObject({
      step: "Uploading",
      progress,
      attempt: 2,
      storage_key: null,
      file_size: null,
      media: { container: "mp4", width: 1920 },
      timings: null,
      subtitles: null,
    });
    expect(body).not.toHaveProperty("storage_url");
    expect(body).not.toHaveProperty("error");
  });

  it("omits progress while the registry is unavailable", async () => {
    const api = await createTestApi({ registry: registryThat(() => Promise.reject(new Error("reset"))) });
    const id = await createJob(api);
    await set(api, id, { status: "Processing", step: "Downloading", started_at: api.clock.now });
    const { status, body } = await api.call("GET", `/jobs/${id}`);
    expect([status, body.progress]).toEqual([200, null]);
  });

  it("asks the real registry, which does not know the job", async () => {
    const api = await createTestApi();
    const id = await createJob(api);
    await set(api, id, { status: "Processing", step: "Downloading", started_at: api.clock.now });
    expect((await api.call("GET", `/jobs/${id}`)).body.progress).toBeNull();
  });

  it("shows a completed job with URLs of all its files, each signed for 24 hours", async () => {
    const api = await createTestApi();
    const id = await createJob(api);
    const { now } = api.clock;
    await set(api, id, { ...completed, started_at: now + 100, finished_at: now + 1100 });
    api.clock.now += 5000;
    const { body } = await api.call("GET", `/jobs/${id}`);
    expect(body).toMatchObject({
      status: "Completed",
      storage_key: "shows/It's a + b (1).mp4",
      file_size: 12_345,
      media: JSON.parse(completed.media),
      timings: { queued_ms: 100, download_ms: 500, mux_ms: 40, upload_ms: 300, total_ms: 1100 },
      attempt: 1,
      progress: null,
    });
    expect(body).not.toHaveProperty("error");
    const place = `https://storage.example/ferry-media/${api.account.id}/${id}/shows`;
    expect(body.storage_url).toMatch(`${place}/It%27s%20a%20%2B%20b%20%281%29.mp4?`);
    expect(body.subtitles.map(({ language }: { language: string }) => language)).toEqual(["en", "de"]);
    expect(body.subtitles[0].url).toMatch(`${place}/a.en.vtt?`);
    expect(body.subtitle_url).toBe(body.subtitles[1].url);
    expect(body.thumbnail_url).toMatch(`${place}/a.jpg?`);
    const query = new URL(body.storage_url).searchParams;
    expect(query.get("X-Amz-Expires")).toBe("86400");
    expect(query.get("X-Amz-Date")).toBe("20260131T120005Z");
  });

  it("shows no file once it is deleted, and keeps its size", async () => {
    const api = await createTestApi();
    const id = await createJob(api);
    await set(api, id, { ...completed, storage_key: null, finished_at: api.clock.now });
    const { body } = await api.call("GET", `/jobs/${id}`);
    expect(body).toMatchObject({
      status: "Completed",
      storage_key: null,
      file_size: 12_345,
      subtitle_url: null,
      thumbnail_url: null,
      subtitles: [],
    });
    expect(body).not.toHaveProperty("storage_url");
  });

  it("shows why a job failed, and whether a retry can help", async () => {
    const api = await createTestApi();
    const id = await createJob(api);
    await set(api, id, {
      status: "Failed",
      step: "Finished",
      error: "Rate limited",
      error_code: "rate_limited",
      storage_key: "reserved.mp4",
      started_at: api.clock.now + 10,
      finished_at: api.clock.now + 30,
    });
    const { body } = await api.call("GET", `/jobs/${id}`);
    expect(body).toMatchObject({
      status: "Failed",
      error: "Rate limited",
      error_code: "rate_limited",
      retryable: true,
      storage_key: null,
      timings: { queued_ms: 10, download_ms: null, mux_ms: null, upload_ms: null, total_ms: 30 },
    });
    expect(body).not.toHaveProperty("storage_url");
  });

  it("counts the whole life of a job cancelled in the queue as queued", async () => {
    const api = await createTestApi();
    const id = await createJob(api);
    await set(api, id, { status: "Failed", error: "Job cancelled by user", finished_at: api.clock.now + 70 });
    const { body } = await api.call("GET", `/jobs/${id}`);
    expect([body.attempt, body.timings.queued_ms, body.timings.total_ms]).toEqual([0, 70, 70]);
  });

  it("shows three attempts of a job that lost its third node", async () => {
    const api = await createTestApi();
    const id = await createJob(api);
    await set(api, id, { status: "Failed", started_at: 1, interruptions: 3 });
    expect((await api.call("GET", `/jobs/${id}`)).body.attempt).toBe(3);
  });

  it("accepts an id in any letter case", async () => {
    const api = await createTestApi();
    const id = await createJob(api);
    expect((await api.call("GET", `/jobs/${id.toUpperCase()}`)).body.id).toBe(id);
  });

  it.each(["1", "not-an-id", "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5", "%00", "%zz", "a%2Fb"])(
    "rejects %j as an id",
    async (id) => {
      const { status, body } = await (await createTestApi()).call("GET", `/jobs/${id}`);
      expect([status, body.error]).toEqual([400, "Invalid job id"]);
    },
  );

  it("gives the same response for another account's job as for a missing one", async () => {
    const api = await createTestApi();
    const id = await createJob(api);
    const other = await createTestAccount(api.dependencies);
    const theirs = await api.send("GET", `/jobs/${id}`, { headers: { "x-api-key": other.key } });
    const none = await api.call("GET", "/jobs/00000000-0000-0000-0000-000000000001");
    expect(theirs.status).toBe(404);
    expect({ ...theirs.body, request_id: "" }).toEqual({ ...none.body, request_id: "" });
    expect(theirs.body).toMatchObject({ error: "Job not found", code: "job_not_found" });
  });
});
