import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { answerTo, createFerry, type Ferry, waitForJob } from "../../client/ferry-client.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { type Origin, startOrigin } from "../../scripts/origin/serve-origin.ts";
import { startStorageServer, type StorageServer } from "../../scripts/storage/storage-server.ts";
import { startTestOrigin } from "../origin/test-origin.ts";
import { type SecondStorage, startSecondStorage } from "../processor/upload/second-storage.ts";
import { writeLongSound } from "./support/long-sound.ts";
import { descendantsOf, stillRunning } from "./support/processes.ts";
import { startTestSystem, type TestSystem } from "./support/test-system.ts";
import { type StorageRequest, watchStorage, type WatchedStorage } from "./support/watched-storage.ts";

let folder: string;
let origin: Origin;
let system: TestSystem;
let ferry: Ferry;
let storage: SecondStorage;
let inBucket: S3Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-bucket-"));
  [origin, storage] = await Promise.all([startTestOrigin(), startSecondStorage()]);
  system = await startTestSystem();
  ferry = createFerry({ baseUrl: system.url, apiKey: system.apiKey });
  const { endpoint, region, access_key_id, secret_access_key } = storage.access;
  inBucket = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
});
afterAll(async () => {
  inBucket.destroy();
  await system.stop();
  await Promise.all([origin.close(), storage.close()]);
  await rm(folder, { recursive: true });
});

const configure = (fields: object = {}) =>
  answerTo(ferry.POST("/user/bucket", { body: { ...storage.access, ...fields } }));
const reset = () => answerTo(ferry.DELETE("/user/bucket"));

/** Runs a job for a short video to its end. */
async function runJob(fields: object = {}) {
  const body = { url: `${origin.url}/${mediaFiles.mp4}`, ...fields };
  const created = await answerTo(ferry.POST("/jobs", { body }));
  if (!("job_id" in created)) throw new Error("the job is a show");
  return waitForJob(ferry, created.job_id, { intervalMs: 100 });
}
const deleteFile = (id: string) => answerTo(ferry.DELETE("/jobs/{id}/file", { params: { path: { id } } }));
const sizeAt = async (url: string | undefined) => (await (await fetch(url ?? "")).bytes()).length;

test("wrong credentials are rejected with the step that failed, and change nothing", async () => {
  await expect(configure({ secret_access_key: "wrong" })).rejects.toThrow(
    "Bucket test failed at put: access was denied",
  );
  expect(await answerTo(ferry.GET("/user/bucket"))).toEqual({ bucket: null });
});

test("files are stored in the configured bucket, and in managed storage again after its removal", async () => {
  const { endpoint, bucket, region } = storage.access;
  expect(await configure()).toEqual({ message: "Bucket configured", bucket: { endpoint, bucket, region } });
  expect(await answerTo(ferry.GET("/user/bucket"))).toEqual({
    bucket: { endpoint, bucket, region, force_path_style: true },
  });

  const inCustom = await runJob({ folder: "talks", filename: "Größe + 1" });
  expect(inCustom).toMatchObject({ status: "Completed", storage_key: "talks/Größe + 1.mp4" });
  expect(inCustom.storage_url).toMatch(`${endpoint}/${bucket}/talks/`);
  expect(await sizeAt(inCustom.storage_url)).toBe(inCustom.file_size);

  expect(await reset()).toEqual({ message: "Using managed storage" });
  const inManaged = await runJob({ folder: "talks", filename: "Größe + 1" });
  expect(inManaged).toMatchObject({ status: "Completed", storage_key: "talks/Größe + 1.mp4" });
  expect(inManaged.storage_url).toMatch(system.storageUrl);
  expect(await sizeAt(inManaged.storage_url)).toBe(inManaged.file_size);

  const old = await waitForJob(ferry, inCustom.id);
  expect(await sizeAt(old.storage_url), "the old file is served").toBe(inCustom.file_size);
  expect(await deleteFile(old.id)).toEqual({
    message: "File deleted",
    job_id: old.id,
    deleted_key: "talks/Größe + 1.mp4",
  });
  expect((await fetch(old.storage_url ?? "")).status).toBe(404);
  await deleteFile(inManaged.id);
  expect((await fetch(inManaged.storage_url ?? "")).status).toBe(404);
  await expect(deleteFile(old.id)).rejects.toThrow("Job has no file to delete");
});

test("an object that somebody else has stored is never overwritten", async () => {
  const place = { Bucket: storage.access.bucket, Key: "taken.mp4" };
  await inBucket.send(new PutObjectCommand({ ...place, Body: "theirs" }));
  await configure();
  const job = await runJob({ filename: "taken" });
  expect(job).toMatchObject({ status: "Completed", storage_key: "taken (2).mp4" });
  const { Body: kept } = await inBucket.send(new GetObjectCommand(place));
  expect(await kept?.transformToString()).toBe("theirs");
});

test("a failing bucket fails its job, and a retry uses the storage configured by then", async () => {
  const gone = await startSecondStorage();
  await configure(gone.access);
  await gone.close();
  const failed = await runJob({ filename: "nowhere" });
  expect(failed).toMatchObject({ status: "Failed", error_code: "storage_error", storage_key: null });
  expect(failed.error).toMatch(/^Storage error/);

  await reset();
  const { job_id: id } = await answerTo(
    ferry.POST("/jobs/{id}/retry", { params: { path: { id: failed.id } } }),
  );
  const retried = await waitForJob(ferry, id, { intervalMs: 100 });
  expect(retried).toMatchObject({ status: "Completed", storage_key: "nowhere.mp4" });
  expect(retried.storage_url).toMatch(system.storageUrl);
});

describe("a node that is killed", () => {
  let server: StorageServer;
  let watched: WatchedStorage;
  let sounds: Origin;
  const soundBytes = 12 * 1024 * 1024;

  beforeAll(async () => {
    // Unlike the other one, it can abort uploads.
    server = await startStorageServer(join(folder, "fast-storage"));
    watched = await watchStorage(server.url);
    const sound = join(folder, "sound");
    await mkdir(sound);
    await writeLongSound(join(sound, "long.wav"), soundBytes);
    sounds = await startOrigin({ folder: sound });
  });
  afterAll(async () => {
    await reset();
    await Promise.all([watched.close(), server.close(), sounds.close()]);
  });

  const nodePid = () => {
    const pid = system.node.pid();
    if (pid === undefined) throw new Error("There is no node");
    return pid;
  };
  const killNode = () => process.kill(nodePid(), "SIGKILL");

  /** Kills the node of a job at the first storage operation that matches `isPoint`; returns those around it. */
  async function runKilledAt(isPoint: (request: StorageRequest) => boolean, filename: string) {
    await configure({ endpoint: watched.url });
    const begun = watched.done.length;
    let killedAt = 0;
    watched.onDone = async (request) => {
      if (killedAt > 0 || !isPoint(request)) return false;
      killedAt = watched.done.length;
      killNode();
      return true;
    };
    const job = await runJob({ url: `${sounds.url}/long.wav`, filename });
    expect(job).toMatchObject({ status: "Completed", attempt: 2, file_size: soundBytes + 44 });
    expect(await sizeAt(job.storage_url)).toBe(job.file_size);
    expect(server.openUploads()).toEqual([]);
    return { before: watched.done.slice(begun, killedAt), after: watched.done.slice(killedAt) };
  }

  test("during upload, after part 2: the upload is aborted before the next attempt starts its own", async () => {
    const { before, after } = await runKilledAt(({ part }) => part === 2, "half");
    const [of] = before.flatMap(({ uploadId }) => uploadId ?? []);
    const ended = after.filter(({ step }) => step === "abort" || step === "complete");
    expect(ended.map(({ step, uploadId }) => [step, uploadId === of])).toEqual([
      ["abort", true],
      ["complete", false],
    ]);
    expect(after.findIndex(({ step }) => step === "abort")).toBeLessThan(
      after.findIndex(({ step }) => step === "create upload"),
    );
  });

  test("between completing the upload and reporting it: the file is adopted", async () => {
    const { after } = await runKilledAt(({ step }) => step === "complete", "whole");
    const stored = after.filter(({ step }) => ["create upload", "part", "complete"].includes(step));
    expect(stored).toEqual([]);
  });

  test("during encoding leaves no program running, and its job completes", async () => {
    await reset();
    const created = runJob({ video_codec: "h264", video_quality: 30, filename: "encoded" });
    const encoders = await vi.waitUntil(
      async () => {
        const all = await descendantsOf(nodePid());
        const found = all.filter(({ command }) => command.includes("libx264"));
        return found.length > 0 && found;
      },
      { timeout: 30_000, interval: 50 },
    );
    killNode();
    expect(await created).toMatchObject({ status: "Completed", attempt: 2, storage_key: "encoded.mp4" });
    expect(await stillRunning(encoders)).toEqual([]);
  });
});
