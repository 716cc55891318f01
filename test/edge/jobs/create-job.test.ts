import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { silentLog } from "../support/silent-log.ts";
import { countersOf } from "../support/test-account.ts";
import { createTestApi } from "../support/test-api.ts";

const api = await createTestApi();
const url = "https://media.example/a.mp4";

const post = async (fields: object) => api.call("POST", "/jobs", { json: { url, ...fields } });
const errorOf = async (fields: object) => {
  const { status, body } = await post(fields);
  return status === 400 ? body.error : status;
};
const rowOf = async (id: string) => {
  const [row] = await api.dependencies.database.all<Record<string, unknown>>(
    sql`SELECT * FROM jobs WHERE id = ${id}`,
  );
  return row;
};

describe("POST /jobs", () => {
  it("queues a job with the requested options", async () => {
    const before = await countersOf(api.dependencies, api.account.id);
    const { status, body } = await post({
      format: "mkv",
      video_codec: "h264",
      audio_codec: "opus",
      audio_bitrate: "320k",
      video_quality: 0,
      filename: "My film",
      folder: "a/b/",
      webhook_url: "https://client.example/hook",
      audio_only: true,
      download_subtitles: true,
      download_thumbnail: true,
      quality_preset: "low",
    });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["job_id"]);
    const row = await rowOf(body.job_id);
    expect(row).toMatchObject({
      account_id: api.account.id,
      url,
      folder: "a/b",
      filename: "My film",
      webhook_url: "https://client.example/hook",
      status: "Pending",
      step: "Queued",
      created_at: api.clock.now,
    });
    expect(JSON.parse(String(row?.["options"]))).toEqual({
      format: "mkv",
      video_codec: "h264",
      audio_codec: "opus",
      audio_bitrate: "320k",
      video_quality: 0,
      quality_preset: "low",
      audio_only: true,
      download_subtitles: true,
      download_thumbnail: true,
    });
    const after = await countersOf(api.dependencies, api.account.id);
    expect(after?.["jobs_created"]).toBe((before?.["jobs_created"] ?? 0) + 1);
    expect(after?.["pending"]).toBe((before?.["pending"] ?? 0) + 1);
  });

  it("takes null and empty strings as omitted", async () => {
    const names = ["format", "video_codec", "audio_codec", "audio_bitrate", "video_quality", "filename"];
    const others = ["folder", "webhook_url", "audio_only", "download_subtitles", "quality_preset"];
    for (const nothing of [null, ""]) {
      const given = Object.fromEntries([...names, ...others].map((name) => [name, nothing]));
      const { status, body } = await post(given);
      expect(status).toBe(200);
      const row = await rowOf(body.job_id);
      expect(row).toMatchObject({ folder: null, filename: null, webhook_url: null });
      expect(JSON.parse(String(row?.["options"]))).toMatchObject({ format: null, audio_only: false });
    }
  });

  it.each([
    [undefined, "Missing url"],
    [null, "Missing url"],
    ["", "Missing url"],
    [5, "url must be a string"],
    [["https://a.example"], "url must be a string"],
    ["not a url", "Invalid URL"],
    ["/relative", "Invalid URL"],
    ["ftp://a.example/x", "Invalid URL"],
    ["file:///etc/passwd", "Invalid URL"],
    ["javascript:alert(1)", "Invalid URL"],
    ["--batch-file=/etc/passwd", "Invalid URL"],
    ["https://user:pass@a.example/", "Invalid URL"],
    ["https://a.example/\u0000", "Invalid URL"],
    ["https://a.example/\ud800", "Invalid URL"],
    [`https://a.example/${"x".repeat(2048)}`, "Invalid URL"],
    ["http://127.0.0.1/", "URL not allowed"],
    ["http://2130706433/", "URL not allowed"],
    ["http://[::ffff:10.0.0.1]/", "URL not allowed"],
    ["http://localhost/", "URL not allowed"],
    ["http://169.254.169.254/latest/meta-data", "URL not allowed"],
    ["https://a.example:22/", "URL not allowed"],
  ])("rejects the url %j", async (given, error) => {
    expect(await errorOf({ url: given })).toBe(error);
  });

  it("accepts a url of exactly 2,048 characters, and returns it as it was sent", async () => {
    const long = `https://a.example/${"😀".repeat(2048 - 18)}`;
    const { status, body } = await post({ url: long });
    expect(status).toBe(200);
    expect((await api.call("GET", `/jobs/${body.job_id}`)).body.url).toBe(long);
  });

  it("allows private addresses if the deployment does", async () => {
    const { settings } = api.dependencies;
    const local = await createTestApi({ settings: { ...settings, allowPrivateNetwork: true } });
    const send = async (address: string) => {
      const { status, body } = await local.call("POST", "/jobs", { json: { url: address } });
      return body.error ?? status;
    };
    expect(await send("http://127.0.0.1:8080/a.mp4")).toBe(200);
    expect(await send("http://169.254.169.254/")).toBe("URL not allowed");
  });

  it.each([
    ["format", "avi", "Invalid format (allowed: mp4, mkv, webm, mov, mp3)"],
    ["format", "MP4", "Invalid format (allowed: mp4, mkv, webm, mov, mp3)"],
    ["format", 4, "format must be a string"],
    ["video_codec", "av1", "Invalid video_codec (allowed: copy, h264, h265, vp9)"],
    ["video_codec", true, "video_codec must be a string"],
    ["audio_codec", "flac", "Invalid audio_codec (allowed: copy, aac, opus, mp3)"],
    ["audio_codec", {}, "audio_codec must be a string"],
    ["audio_bitrate", "192", "Invalid audio_bitrate (allowed: 64k, 128k, 192k, 256k, 320k)"],
    ["audio_bitrate", 192, "audio_bitrate must be a string"],
    ["video_quality", "23", "video_quality must be an integer from 0 to 51"],
    ["video_quality", 1.5, "video_quality must be an integer from 0 to 51"],
    ["video_quality", -1, "video_quality must be an integer from 0 to 51"],
    ["video_quality", 52, "video_quality must be an integer from 0 to 51"],
    ["video_quality", 1e300, "video_quality must be an integer from 0 to 51"],
    ["filename", 1, "filename must be a string"],
    ["folder", 1, "folder must be a string"],
    ["folder", "x".repeat(201), "Folder name too long (max 200 characters)"],
    ["folder", `/../${"x".repeat(201)}`, "Folder name too long (max 200 characters)"],
    ["folder", "/a/../b", "Folder must not contain .."],
    ["folder", "a..b", "Folder must not contain .."],
    ["folder", "/a", "Folder must not start with /"],
    ["folder", "/", "Folder must not start with /"],
    ["folder", "a\\b", "Invalid folder"],
    ["folder", "a//b", "Invalid folder"],
    ["folder", "a//", "Invalid folder"],
    ["folder", "./a", "Invalid folder"],
    ["folder", "a/.", "Invalid folder"],
    ["folder", "a\nb", "Invalid folder"],
    ["folder", "a\ud800b", "Invalid folder"],
    ["webhook_url", 1, "webhook_url must be a string"],
    ["webhook_url", "nowhere", "Invalid webhook_url"],
    ["webhook_url", "http://10.0.0.1/hook", "Invalid webhook_url"],
    ["audio_only", "true", "audio_only must be a boolean"],
    ["download_subtitles", 1, "download_subtitles must be a boolean"],
    ["download_thumbnail", [], "download_thumbnail must be a boolean"],
    ["quality_preset", "best", "Invalid quality_preset (allowed: highest, high, medium, low, lowest)"],
    ["quality_preset", 1, "quality_preset must be a string"],
  ])("rejects %s %j", async (field, value, error) => {
    const { status, body } = await post({ [field]: value });
    expect([status, body.error, body.details]).toEqual([400, error, [{ path: field, message: error }]]);
  });

  it("accepts a folder of 200 characters", async () => {
    expect((await post({ folder: "😀".repeat(200) })).status).toBe(200);
  });

  it.each([
    [{ format: "webm", video_codec: "h264" }, "Format webm does not support video_codec h264"],
    [{ format: "webm", audio_codec: "aac" }, "Format webm does not support audio_codec aac"],
    [{ format: "mov", audio_codec: "opus" }, "Format mov does not support audio_codec opus"],
    [{ format: "mp3", video_codec: "vp9" }, "Format mp3 does not support video_codec vp9"],
    [{ format: "mp3", audio_codec: "opus" }, "Format mp3 does not support audio_codec opus"],
    [{ format: "mp4", audio_only: true, audio_codec: "mp3" }, "Format mp4 does not support audio_codec mp3"],
  ])("rejects the combination %j", async (fields, error) => {
    expect(await errorOf(fields)).toBe(error);
  });

  it("names the first problem in the order of the fields, and lists all", async () => {
    const { body } = await post({ nope: 1, webhook_url: 1, format: "avi", url: 1, audio_only: "x" });
    expect(body.error).toBe("url must be a string");
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
      "url",
      "format",
      "webhook_url",
      "audio_only",
      "nope",
    ]);
  });

  it("reports an impossible combination before an unknown field", async () => {
    expect(await errorOf({ nope: 1, format: "webm", audio_codec: "mp3" })).toBe(
      "Format webm does not support audio_codec mp3",
    );
  });

  it.each(["nope", "Url", "", "crf", "__proto__", "constructor", "toString"])(
    "rejects the unknown field %j",
    async (name) => {
      const { status, body } = await api.call("POST", "/jobs", {
        body: `{"url":"${url}",${JSON.stringify(name)}:1}`,
        headers: { "content-type": "application/json" },
      });
      expect([status, body.error]).toEqual([400, `Unknown field: ${name}`]);
    },
  );

  it("accepts any filename, since invalid characters are removed when the file is named", async () => {
    for (const filename of ["../../etc/passwd", "\u0000\ud800", "x".repeat(900_000), "日本語 😀"]) {
      const { status, body } = await post({ filename });
      expect(status).toBe(200);
      const job = await api.call("GET", `/jobs/${body.job_id}`);
      expect(job.body.options.filename).toBe(filename.toWellFormed());
    }
  });

  it("creates nothing, and stores no response, for an account without counters", async () => {
    const broken = await createTestApi({ log: silentLog });
    const { database } = broken.dependencies;
    await database.run(sql`DELETE FROM account_counters WHERE account_id = ${broken.account.id}`);
    const headers = { "idempotency-key": "k" };
    for (const [path, json] of [
      ["/jobs", { url }],
      ["/jobs/bulk", { jobs: [{ url }] }],
    ] as const) {
      expect((await broken.call("POST", path, { json, headers })).status).toBe(500);
    }
    const left = await database.all(sql`
      SELECT id FROM jobs WHERE account_id = ${broken.account.id}
      UNION ALL SELECT id FROM batches WHERE account_id = ${broken.account.id}
      UNION ALL SELECT key FROM idempotency_keys WHERE account_id = ${broken.account.id}`);
    expect(left).toEqual([]);
  });

  it("counts and writes nothing for a rejected request", async () => {
    const before = await countersOf(api.dependencies, api.account.id);
    expect((await post({ format: "avi" })).status).toBe(400);
    expect(await countersOf(api.dependencies, api.account.id)).toEqual(before);
  });
});
