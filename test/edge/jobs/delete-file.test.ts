import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Sidecar } from "../../../contracts/file-facts.ts";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { type MemoryStorage, memoryStorage } from "../support/memory-storage.ts";
import { silentLog } from "../support/silent-log.ts";
import { countedFromRows, countersOf } from "../support/test-account.ts";
import { createTestAccount, createTestApi, type TestApi } from "../support/test-api.ts";

const access = {
  endpoint: "https://s3.example",
  bucket: "my-media",
  access_key_id: "AKIDEXAMPLE",
  secret_access_key: "the-secret-of-the-bucket",
};
const sidecars: Sidecar[] = [
  { kind: "subtitle", language: "en", storage_key: "Talk.en.vtt", bytes: 10 },
  { kind: "thumbnail", language: null, storage_key: "Talk.jpg", bytes: 20 },
];

let storage: MemoryStorage;
let api: TestApi;
beforeEach(async () => {
  storage = memoryStorage();
  api = await createTestApi({ fetch: storage.fetch });
  // Other tests' accounts use the same bucket.
  await api.dependencies.database.run(sql`DELETE FROM reserved_keys`);
});

/** A job whose files are in storage. */
async function completeJob(file: { sidecars?: Sidecar[] } = {}): Promise<string> {
  const { body } = await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } });
  for (const task of await claimAll(api.dependencies)) {
    if (task.job_id !== body.job_id) continue;
    const key = await finishTask(api.dependencies, task, file);
    const { endpoint, bucket } = task.storage;
    for (const { storage_key } of [key, ...(file.sidecars ?? [])]) {
      const objectKey = key.object_key.replace(key.storage_key, storage_key);
      storage.objects.set(`${endpoint}/${bucket}/${objectKey}`, "file");
    }
  }
  return body.job_id;
}
const notThere = (code: string) => new Response(`<Error><Code>${code}</Code></Error>`, { status: 404 });
const deleteFile = (id: string) => api.call("DELETE", `/jobs/${id}/file`);
const show = async (id: string) => (await api.call("GET", `/jobs/${id}`)).body;
const heldNames = async (id: string) => {
  const rows = await api.dependencies.database.all<{ held: number }>(
    sql`SELECT freed_at IS NULL AS held FROM reserved_keys WHERE job_id = ${id}`,
  );
  return rows.map(({ held }) => held === 1);
};

describe("DELETE /jobs/{id}/file", () => {
  it("deletes the file and its sidecars, and keeps the job and its size", async () => {
    const id = await completeJob({ sidecars });
    expect(storage.objects.size).toBe(3);
    const usage = (await api.call("GET", "/usage")).body;

    const { status, body } = await deleteFile(id);
    expect([status, body]).toEqual([200, { message: "File deleted", job_id: id, deleted_key: "Talk.mp4" }]);
    expect(storage.objects.size).toBe(0);
    const job = await show(id);
    expect(job).toMatchObject({
      status: "Completed",
      storage_key: null,
      file_size: 1000,
      subtitles: [],
      subtitle_url: null,
      thumbnail_url: null,
    });
    expect(job).not.toHaveProperty("storage_url");
    expect((await api.call("GET", "/usage")).body).toEqual(usage);
    expect(await heldNames(id)).toEqual([false, false, false]);
  });

  it("reports the second time that there is no file, without any request to storage", async () => {
    const id = await completeJob();
    await deleteFile(id);
    storage.requests.length = 0;
    const { status, body } = await deleteFile(id);
    expect([status, body.error, body.code]).toEqual([400, "Job has no file to delete", "job_has_no_file"]);
    expect(storage.requests).toEqual([]);
  });

  it("frees the name, which is not reused for an hour", async () => {
    const nameOfNext = async () => (await show(await completeJob())).storage_key;
    await deleteFile(await completeJob());
    expect(await nameOfNext()).toBe("Talk (2).mp4");
    api.clock.now += 60 * 60 * 1000 + 1;
    expect(await nameOfNext()).toBe("Talk.mp4");
  });

  it("treats missing objects as deleted", async () => {
    const id = await completeJob({ sidecars });
    storage.objects.clear();
    storage.answer = (method) => (method === "DELETE" ? notThere("NoSuchKey") : null);
    expect((await deleteFile(id)).status).toBe(200);
  });

  it("is safe if requested twice at once", async () => {
    const id = await completeJob();
    const answers = await Promise.all([deleteFile(id), deleteFile(id)]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
    expect((await show(id)).storage_key).toBeNull();
    expect(await countersOf(api.dependencies, api.account.id)).toEqual(
      await countedFromRows(api.dependencies, api.account.id),
    );
  });

  it("deletes from the bucket that holds the file, even if its configuration was removed", async () => {
    await api.call("POST", "/user/bucket", { json: access });
    const id = await completeJob({ sidecars });
    await api.call("DELETE", "/user/bucket");
    expect((await show(id)).storage_url).toMatch("https://s3.example/my-media/Talk.mp4?");

    storage.requests.length = 0;
    expect((await deleteFile(id)).body.deleted_key).toBe("Talk.mp4");
    expect(storage.requests.sort()).toEqual([
      "DELETE https://s3.example/my-media/Talk.en.vtt",
      "DELETE https://s3.example/my-media/Talk.jpg",
      "DELETE https://s3.example/my-media/Talk.mp4",
    ]);
    expect(await heldNames(id)).toEqual([false, false, false]);
  });

  const refused = ["Storage refused the deletion", "storage_refused"];
  const unreachable = ["Storage could not be reached", "storage_unreachable"];
  it.each<[string, string[], () => Response | Promise<Response>]>([
    ["refuses", refused, () => new Response("<Error/>", { status: 403 })],
    ["fails", refused, () => new Response("<Error/>", { status: 503 })],
    ["does not exist", refused, () => notThere("NoSuchBucket")],
    ["is not a storage service", refused, () => new Response("Not found", { status: 404 })],
    ["cannot be reached", unreachable, () => Promise.reject(new TypeError("unreachable"))],
  ])("keeps the key if a custom bucket %s, so that it can be retried", async (_, said, answer) => {
    await api.call("POST", "/user/bucket", { json: access });
    const id = await completeJob({ sidecars });
    storage.answer = (method) => (method === "DELETE" ? answer() : null);
    const { status, body } = await deleteFile(id);
    expect([status, body.error, body.code]).toEqual([400, ...said]);
    expect((await show(id)).storage_key).toBe("Talk.mp4");
    expect(await heldNames(id)).toEqual([true, true, true]);

    storage.answer = () => null;
    expect((await deleteFile(id)).status).toBe(200);
  });

  it("keeps the key if only a subtitle could not be deleted", async () => {
    await api.call("POST", "/user/bucket", { json: access });
    const id = await completeJob({ sidecars });
    storage.answer = (_, url) => (url.pathname.endsWith(".vtt") ? new Response(null, { status: 403 }) : null);
    expect((await deleteFile(id)).body.error).toBe("Storage refused the deletion");
    expect((await show(id)).storage_key).toBe("Talk.mp4");
    storage.answer = () => null;
    expect((await deleteFile(id)).status).toBe(200);
    expect(storage.objects.size).toBe(0);
  });

  it("does not blame the client if managed storage fails", async () => {
    api = await createTestApi({ fetch: storage.fetch, log: silentLog });
    const id = await completeJob();
    storage.answer = () => new Response(null, { status: 403 });
    const { status, body } = await deleteFile(id);
    expect([status, body.error]).toEqual([500, "Internal server error"]);
    expect((await show(id)).storage_key).toBe("Talk.mp4");
  });

  it.each(["Pending", "Processing", "Failed"])("rejects a job that is %s", async (status) => {
    const { body } = await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } });
    await api.dependencies.database.run(
      sql`UPDATE jobs SET status = ${status}, storage_key = 'reserved.mp4' WHERE id = ${body.job_id}`,
    );
    const answer = await deleteFile(body.job_id);
    expect([answer.status, answer.body.code]).toEqual([400, "job_has_no_file"]);
    expect(storage.requests).toEqual([]);
  });

  it("gives the same response for another account's job as for a missing one, and deletes nothing", async () => {
    const id = await completeJob();
    const other = await createTestAccount(api.dependencies);
    const theirs = await api.send("DELETE", `/jobs/${id}/file`, { headers: { "x-api-key": other.key } });
    const none = await deleteFile("00000000-0000-0000-0000-000000000001");
    expect(theirs.status).toBe(404);
    expect({ ...theirs.body, request_id: "" }).toEqual({ ...none.body, request_id: "" });
    expect(storage.objects.size).toBe(1);
  });

  it("rejects an invalid id", async () => {
    const { status, body } = await deleteFile("not-an-id");
    expect([status, body.error]).toEqual([400, "Invalid job id"]);
  });
});

describe("a file's name in a custom bucket", () => {
  it("is the object's key, and separate from names in other buckets", async () => {
    expect((await show(await completeJob())).storage_key).toBe("Talk.mp4");
    await api.call("POST", "/user/bucket", { json: access });
    expect((await show(await completeJob())).storage_key).toBe("Talk.mp4");
    expect((await show(await completeJob())).storage_key).toBe("Talk (2).mp4");
    expect([...storage.objects.keys()].slice(1)).toEqual([
      "https://s3.example/my-media/Talk.mp4",
      "https://s3.example/my-media/Talk (2).mp4",
    ]);
  });
});
