import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { type SecondStorage, startSecondStorage } from "../processor/upload/second-storage.ts";
import { ask, createJob, errorOf, runJob, showJob } from "./support/api.ts";
import { media, target } from "./support/target.ts";

const url = media(mediaFiles.mp3);
const good = {
  endpoint: "https://s3.example",
  bucket: "my-media",
  access_key_id: "AKIDEXAMPLE",
  secret_access_key: "secret",
};
const configure = (fields: object) => ask("POST", "/user/bucket", { json: fields });
const current = async () => (await ask("GET", "/user/bucket")).body;

test("without one, files are stored in managed storage, and there is nothing to remove [bucket-none, bucket-reset]", async () => {
  const { status, body } = await ask("DELETE", "/user/bucket");
  expect([status, body]).toEqual([200, { message: "Using managed storage" }]);
  expect(await current()).toEqual({ bucket: null });
});

test.each(["nonsense", "ftp://s3.example", "s3.example", "http://169.254.169.254", "https://a:b@s3.example"])(
  "the endpoint %s is refused [bucket-endpoint]",
  async (endpoint) => {
    expect(errorOf(await configure({ ...good, endpoint }))[1]).toBe("Invalid endpoint");
  },
);

test.each(["endpoint", "bucket", "access_key_id", "secret_access_key"])(
  "%s is required [bucket-fields]",
  async (field) => {
    expect(errorOf(await configure({ ...good, [field]: null }))).toEqual([
      400,
      `Missing ${field}`,
      "invalid_request",
    ]);
  },
);

describe.skipIf(!target.isOnThisMachine)("a custom bucket", () => {
  let storage: SecondStorage;
  beforeAll(async () => {
    storage = await startSecondStorage();
  });
  afterAll(async () => {
    await ask("DELETE", "/user/bucket");
    await storage.close();
  });

  test("is probed first, and one that does not work is rejected with the step that failed [bucket-probe]", async () => {
    const answer = await configure({ ...storage.access, secret_access_key: "wrong" });
    expect(errorOf(answer)[0]).toBe(400);
    expect(errorOf(answer)[1]).toMatch(/\bput\b/);
    expect(await current()).toEqual({ bucket: null });
  });

  test("receives the files of new jobs, is shown without its credentials, and keeps its files when removed [bucket-use, bucket-secret, bucket-keys, bucket-at-creation, bucket-removed]", async () => {
    const { endpoint, bucket, region } = storage.access;
    const configured = await configure(storage.access);
    expect(configured.body).toEqual({ message: "Bucket configured", bucket: { endpoint, bucket, region } });
    const shown = await ask("GET", "/user/bucket");
    expect(shown.body).toEqual({ bucket: { endpoint, bucket, region, force_path_style: true } });
    expect(JSON.stringify(shown.body)).not.toContain(storage.access.secret_access_key);

    const slow = await createJob({
      url: media(`slow/${mediaFiles.mp3}?bytes_per_second=50000`),
      folder: "mine",
    });
    const job = await runJob({ url, folder: "mine", filename: "In my bucket" });
    expect(job.storage_key).toBe("mine/In my bucket.mp3");
    expect(new URL(job.storage_url).href.startsWith(`${endpoint}/${bucket}/mine/`)).toBe(true);
    expect((await (await fetch(job.storage_url)).bytes()).length).toBe(job.file_size);

    await ask("DELETE", "/user/bucket");
    const afterwards = await runJob({ url, folder: "mine" });
    expect(afterwards.storage_url.startsWith(endpoint)).toBe(false);
    let late = await showJob(slow);
    while (late.status !== "Completed") late = await showJob(slow);
    expect(late.storage_url.startsWith(endpoint)).toBe(true);

    const old = await showJob(job.id);
    expect((await fetch(old.storage_url)).status).toBe(200);
    expect((await ask("DELETE", `/jobs/${job.id}/file`)).status).toBe(200);
    expect((await fetch(old.storage_url)).status).toBe(404);
  });
});
