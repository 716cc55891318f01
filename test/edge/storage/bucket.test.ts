import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { buildTasks } from "../../../edge/dispatch/build-tasks.ts";
import { type MemoryStorage, memoryStorage } from "../support/memory-storage.ts";
import { silentLog } from "../support/silent-log.ts";
import { createTestAccount, createTestApi, type TestApi } from "../support/test-api.ts";

const access = {
  endpoint: "https://s3.example",
  bucket: "my-media",
  region: "eu-1",
  access_key_id: "AKIDEXAMPLE",
  secret_access_key: "the-secret-of-the-bucket",
};
const shown = { endpoint: access.endpoint, bucket: access.bucket, region: access.region };

let storage: MemoryStorage;
let api: TestApi;
beforeEach(async () => {
  storage = memoryStorage();
  api = await createTestApi({ fetch: storage.fetch });
});

const configure = (fields: object = {}) =>
  api.call("POST", "/user/bucket", { json: { ...access, ...fields } });
const current = async () => (await api.call("GET", "/user/bucket")).body.bucket;
const locations = () =>
  api.dependencies.database.all<Record<string, string | number>>(
    sql`SELECT * FROM storage_locations WHERE account_id = ${api.account.id}`,
  );

describe("POST /user/bucket", () => {
  it("tests the bucket, then uses it, and shows it without its credentials", async () => {
    const { status, body } = await configure();
    expect([status, body]).toEqual([200, { message: "Bucket configured", bucket: shown }]);
    const [put, get, remove, ...more] = storage.requests;
    expect(put).toMatch(/^PUT https:\/\/s3\.example\/my-media\/ferry-test-[0-9a-f-]{36}\.txt$/);
    expect([get, remove, more]).toEqual([put?.replace("PUT", "GET"), put?.replace("PUT", "DELETE"), []]);
    expect(storage.objects.size).toBe(0);
    expect(await current()).toEqual({ ...shown, force_path_style: true });
  });

  it("signs the test requests with the credentials and the region", async () => {
    let authorization: string | null = null;
    const look: typeof fetch = (input, init) => {
      authorization ??= new Request(input, init).headers.get("authorization");
      return storage.fetch(input, init);
    };
    const looking = await createTestApi({ fetch: look });
    await looking.call("POST", "/user/bucket", { json: access });
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20260131\/eu-1\/s3\/aws4_request, SignedHeaders=host;/,
    );
  });

  it("defaults to the region auto, and to the bucket in the path", async () => {
    const { endpoint, bucket, access_key_id, secret_access_key } = access;
    const json = { endpoint, bucket, access_key_id, secret_access_key, region: "", force_path_style: null };
    expect((await api.call("POST", "/user/bucket", { json })).body.bucket.region).toBe("auto");
    expect(await current()).toMatchObject({ region: "auto", force_path_style: true });
  });

  it("puts the bucket before the host on request", async () => {
    await configure({ force_path_style: false });
    expect(storage.requests[0]).toMatch("PUT https://my-media.s3.example/ferry-test-");
    expect(await current()).toMatchObject({ endpoint: "https://s3.example", force_path_style: false });
  });

  it("keeps an endpoint's own path, without trailing slashes", async () => {
    expect((await configure({ endpoint: "https://S3.example:443/s3//" })).body.bucket.endpoint).toBe(
      "https://s3.example/s3",
    );
    expect(storage.requests[0]).toMatch("PUT https://s3.example/s3/my-media/ferry-test-");
  });

  it("stores the secret encrypted, bound to this account and bucket", async () => {
    await configure();
    const [row] = await locations();
    expect(row?.["secret_access_key"]).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain(access.secret_access_key);
  });

  it("replaces the credentials of the same location if configured again", async () => {
    await configure();
    const [before] = await locations();
    await configure({
      access_key_id: "AKIDROTATED",
      secret_access_key: "rotated",
      endpoint: "https://s3.example/",
    });
    const rows = await locations();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ id: before?.["id"], access_key_id: "AKIDROTATED" });
    expect(rows[0]?.["secret_access_key"]).not.toBe(before?.["secret_access_key"]);
  });

  it("belongs to its account only", async () => {
    await configure();
    const other = await createTestAccount(api.dependencies);
    const asOther = { headers: { "x-api-key": other.key } };
    expect((await api.send("GET", "/user/bucket", asOther)).body).toEqual({ bucket: null });
    await api.send("DELETE", "/user/bucket", asOther);
    expect(await current()).toMatchObject(shown);
  });

  it.each([
    [{ endpoint: undefined }, "Missing endpoint"],
    [{ endpoint: "" }, "Missing endpoint"],
    [{ endpoint: 5 }, "endpoint must be a string"],
    [{ endpoint: "s3.example" }, "Invalid endpoint"],
    [{ endpoint: "ftp://s3.example" }, "Invalid endpoint"],
    [{ endpoint: "https://user:pass@s3.example" }, "Invalid endpoint"],
    [{ endpoint: "https://s3.example/?a=b" }, "Invalid endpoint"],
    [{ endpoint: "https://s3.example/#a" }, "Invalid endpoint"],
    [{ endpoint: "https://s3.example:22" }, "Invalid endpoint"],
    [{ endpoint: "http://localhost:9000" }, "Invalid endpoint"],
    [{ endpoint: "http://127.0.0.1:9000" }, "Invalid endpoint"],
    [{ endpoint: "http://0x7f.1:9000" }, "Invalid endpoint"],
    [{ endpoint: "http://[::ffff:10.0.0.1]" }, "Invalid endpoint"],
    [{ endpoint: "http://169.254.169.254" }, "Invalid endpoint"],
    [{ endpoint: "http://1.2.3.4", force_path_style: false }, "Invalid endpoint"],
    [{ endpoint: "http://0.1", bucket: "127", force_path_style: false }, "Invalid endpoint"],
    [{ bucket: undefined }, "Missing bucket"],
    [{ bucket: "../other" }, "Invalid bucket"],
    [{ bucket: "a/b" }, "Invalid bucket"],
    [{ bucket: "a?b" }, "Invalid bucket"],
    [{ bucket: "b".repeat(64) }, "Invalid bucket"],
    [{ region: 1 }, "region must be a string"],
    [{ region: "eu/1" }, "Invalid region"],
    [{ access_key_id: null }, "Missing access_key_id"],
    [{ access_key_id: "a/b" }, "Invalid access_key_id"],
    [{ access_key_id: "a\nb" }, "Invalid access_key_id"],
    [{ secret_access_key: undefined }, "Missing secret_access_key"],
    [{ secret_access_key: {} }, "secret_access_key must be a string"],
    [{ secret_access_key: "ü" }, "Invalid secret_access_key"],
    [{ force_path_style: "yes" }, "force_path_style must be a boolean"],
    [{ session_token: "t" }, "Unknown field: session_token"],
  ])("rejects %j without any request", async (fields, sentence) => {
    const { status, body } = await configure(fields);
    expect([status, body.error, body.code]).toEqual([400, sentence, "invalid_request"]);
    expect(body.details).toHaveLength(1);
    expect(storage.requests).toEqual([]);
    expect(await current()).toBeNull();
  });

  const xml = (status: number) => new Response("<Error>secret of the storage</Error>", { status });
  it.each<[string, MemoryStorage["answer"], string]>([
    ["PUT", () => xml(403), "put: access was denied"],
    ["PUT", () => xml(404), "put: the bucket or the object is not there"],
    ["PUT", () => xml(301), "put: the endpoint redirects elsewhere, is the region right?"],
    ["PUT", () => xml(500), "put: the endpoint answered 500"],
    [
      "PUT",
      () => Promise.reject(new TypeError("refused by 10.1.2.3")),
      "put: the endpoint could not be reached",
    ],
    ["GET", () => xml(403), "get: access was denied"],
    ["GET", () => new Response("another object"), "get: what came back is not what was stored"],
    ["DELETE", () => xml(403), "delete: access was denied"],
  ])("reports which step failed, %s, and why, and changes nothing", async (failing, answer, ending) => {
    storage.answer = (method, url) => (method === failing ? answer(method, url) : null);
    const { status, body } = await configure();
    expect([status, body.error, body.code]).toEqual([
      400,
      `Bucket test failed at ${ending}`,
      "bucket_test_failed",
    ]);
    expect(await locations()).toEqual([]);
    expect(await current()).toBeNull();
    if (failing === "GET") expect(storage.objects.size, "the test object is deleted anyway").toBe(0);
  });

  it("deletes its object even if the response to its PUT was lost", async () => {
    storage.answer = (method, url) => {
      if (method !== "PUT") return null;
      storage.objects.set(url.href, "stored");
      return Promise.reject(new TypeError("cut off"));
    };
    expect((await configure()).body.error).toBe(
      "Bucket test failed at put: the endpoint could not be reached",
    );
    expect(storage.objects.size).toBe(0);
  });

  it("keeps the previous bucket if the new one does not work", async () => {
    await configure();
    storage.answer = () => xml(403);
    await configure({ bucket: "other-media" });
    expect(await current()).toMatchObject(shown);
  });

  it("reads only the beginning of a long response", async () => {
    let sent = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 1024;
            controller.enqueue(new Uint8Array(1024));
          },
        }),
      );
    storage.answer = (method) => (method === "GET" ? endless() : null);
    expect((await configure()).body.error).toBe(
      "Bucket test failed at get: what came back is not what was stored",
    );
    expect(sent).toBeLessThan(10_000);
  });

  it("accepts endpoints of the private network if the operator allows them", async () => {
    const { settings } = api.dependencies;
    const local = await createTestApi({
      fetch: storage.fetch,
      settings: { ...settings, allowPrivateNetwork: true },
    });
    const json = { ...access, endpoint: "http://127.0.0.1:9000" };
    expect((await local.call("POST", "/user/bucket", { json })).status).toBe(200);
    json.endpoint = "http://169.254.169.254";
    expect((await local.call("POST", "/user/bucket", { json })).body.error).toBe("Invalid endpoint");
  });
});

describe("DELETE /user/bucket", () => {
  it("goes back to managed storage and keeps the configuration for old files", async () => {
    await configure();
    const { status, body } = await api.call("DELETE", "/user/bucket");
    expect([status, body]).toEqual([200, { message: "Using managed storage" }]);
    expect(await current()).toBeNull();
    expect(await locations()).toHaveLength(1);
  });

  it("succeeds without a custom bucket", async () => {
    expect((await api.call("DELETE", "/user/bucket")).body).toEqual({ message: "Using managed storage" });
  });
});

describe("a job", () => {
  const url = "https://media.example/a.mp4";
  const create = async () => (await api.call("POST", "/jobs", { json: { url } })).body.job_id;
  const tasks = async () => {
    const [rows = []] = await claimJobs(api.dependencies, [{ nodeId: "node", slots: 100 }]);
    return buildTasks(
      api.dependencies,
      rows.filter(({ accountId }) => accountId === api.account.id),
    );
  };

  it("uses the bucket that was current at its creation, with the latest credentials", async () => {
    const managed = await create();
    await configure();
    const custom = await create();
    await api.call("DELETE", "/user/bucket");
    const managedAgain = await create();
    await configure({ secret_access_key: "rotated" });

    const storageOf = new Map((await tasks()).map((task) => [task.job_id, task.storage]));
    expect(storageOf.get(managed)?.bucket).toBe("ferry-media");
    expect(storageOf.get(managedAgain)?.bucket).toBe("ferry-media");
    expect(storageOf.get(custom)).toEqual({
      ...access,
      secret_access_key: "rotated",
      force_path_style: true,
    });
  });

  it("fails if its bucket's secret can no longer be decrypted, and others go on", async () => {
    await configure();
    const lost = await create();
    await api.call("DELETE", "/user/bucket");
    const other = await create();
    await api.dependencies.database.run(sql`
      UPDATE storage_locations SET secret_access_key = 'v1.00000000.AAAA.AAAA' WHERE account_id = ${api.account.id}`);
    const [rows = []] = await claimJobs(api.dependencies, [{ nodeId: "node", slots: 100 }]);
    const built = await buildTasks({ ...api.dependencies, log: silentLog }, rows);
    expect(built.map(({ job_id }) => job_id)).toContain(other);
    expect(built.map(({ job_id }) => job_id)).not.toContain(lost);
    expect((await api.call("GET", `/jobs/${lost}`)).body).toMatchObject({
      status: "Failed",
      error: "Storage error: the bucket has to be configured again",
      error_code: "storage_error",
    });
  });
});
