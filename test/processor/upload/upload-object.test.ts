import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FileFacts } from "../../../contracts/file-facts.ts";
import { createAddressGuard, resolveBySystem } from "../../../processor/network/address-guard.ts";
import { patienceOf } from "../../../processor/network/patience.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { adoptEarlierFile } from "../../../processor/upload/earlier-attempt.ts";
import { createStorage } from "../../../processor/upload/open-storage.ts";
import { fileBody } from "../../../processor/upload/file-body.ts";
import { createPartMemory } from "../../../processor/upload/part-memory.ts";
import { uploadObject, type ObjectUpload } from "../../../processor/upload/upload-object.ts";
import { sampleTask } from "../sample-task.ts";
import { startFaultyStorage, type FaultyStorage } from "./faulty-storage.ts";
import { startLocalStorage, type LocalStorage } from "./local-storage.ts";

const openStorage = createStorage(createAddressGuard({ allowPrivateNetwork: true }, resolveBySystem));
const mib = 1024 * 1024;
const memory = createPartMemory(96 * mib);
const smallBytes = randomBytes(100_000);
const largeBytes = randomBytes(12 * mib + 345);

let storage: LocalStorage;
let faulty: FaultyStorage;
let folder: string;
let small: string;
let large: string;
let jobs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-upload-"));
  small = join(folder, "small");
  large = join(folder, "large");
  await writeFile(small, smallBytes);
  await writeFile(large, largeBytes);
  storage = await startLocalStorage();
  faulty = await startFaultyStorage(storage.access);
});
afterAll(async () => {
  await faulty.close();
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  faulty.treat(() => "pass");
});

interface Setting {
  readonly request: ObjectUpload;
  /** Requests to the edge and to storage, in order. */
  readonly events: string[];
  readonly controller: AbortController;
}

/** An upload of a separate job, whose edge assigns the names `file.mp4`, `file (2).mp4` and so on. */
function setting(path: string, given: Partial<ObjectUpload> = {}): Setting {
  const events: string[] = [];
  const controller = new AbortController();
  const job = { account_id: "account", job_id: `job-${++jobs}`, claim: 3 };
  const bytes = path === small ? smallBytes.length : largeBytes.length;
  let names = 0;
  const request: ObjectUpload = {
    job,
    bucket: openStorage(faulty.access),
    link: {
      reserveKey: ({ taken }) => {
        events.push(taken === null ? "reserve" : `reserve, not ${taken}`);
        names += 1;
        const storageKey = names === 1 ? "talks/Größe.mp4" : `talks/Größe (${names}).mp4`;
        return Promise.resolve({ storageKey, objectKey: `account/${job.job_id}/${storageKey}` });
      },
      uploadStarted: () => {
        events.push("upload started");
        return Promise.resolve();
      },
      publish: () => {
        events.push("publish");
        return Promise.resolve();
      },
    },
    open: (signal) => fileBody(path, factsOf(bytes), memory.openAccount(), signal),
    title: "Größe",
    extension: "mp4",
    contentType: "video/mp4",
    signal: controller.signal,
    onBytes: (arrived) => events.push(`${arrived} bytes`),
    log: pino({ level: "silent" }),
    ...given,
  };
  return { request, events, controller };
}

function factsOf(file_size: number): FileFacts {
  const media = {
    container: "mp4",
    duration_seconds: 1,
    width: null,
    height: null,
    video_codec: null,
    audio_codec: "aac",
    bitrate_bps: null,
  };
  return { file_size, media, sidecars: [], preferred_subtitle: null };
}

function requestsOf({ request }: Setting, kind: string): number {
  return faulty.requests.filter(
    ({ objectKey, kind: its }) => objectKey.includes(`/${request.job.job_id}/`) && its === kind,
  ).length;
}

async function keysOf({ request }: Setting): Promise<string[]> {
  const keys = await storage.keys();
  return keys.filter((key) => key.includes(`/${request.job.job_id}/`));
}

describe("a small file", () => {
  test("is stored in one request, with the headers a browser needs, after the edge has agreed", async () => {
    const run = setting(small);
    const key = await uploadObject(run.request);
    const object = await storage.get(key.objectKey);
    expect(object.bytes.equals(smallBytes)).toBe(true);
    expect(object.contentType).toBe("video/mp4");
    expect(object.contentDisposition).toBe(
      `attachment; filename="Gr??e.mp4"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.mp4`,
    );
    expect(object.metadata).toEqual({ job: run.request.job.job_id, claim: "3" });
    expect(run.events).toEqual(["reserve", "publish", "100000 bytes"]);
    expect(requestsOf(run, "put")).toBe(1);
  });

  test("is sent with an unsigned payload, without a checksum, and only if the key is free", async () => {
    const run = setting(small);
    await uploadObject(run.request);
    const sent = faulty.requests.findLast(({ kind }) => kind === "put");
    expect(sent?.headers).toMatchObject({
      "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
      "if-none-match": "*",
      "content-length": "100000",
    });
    expect(Object.keys(sent?.headers ?? {}).filter((name) => name.includes("checksum"))).toEqual([]);
  });

  test("is stored although storage fails at first", async () => {
    const run = setting(small);
    let failures = 0;
    faulty.treat(({ kind }) => (kind === "put" && ++failures <= 2 ? { status: 503 } : "pass"));
    await uploadObject(run.request);
    expect(await keysOf(run)).toHaveLength(1);
    expect(failures).toBe(3);
  });

  test("counts as stored if it arrived but the response was lost", async () => {
    const run = setting(small);
    let puts = 0;
    faulty.treat(({ kind }) => (kind === "put" && ++puts === 1 ? "lose_answer" : "pass"));
    const key = await uploadObject(run.request);
    expect(await keysOf(run)).toEqual([key.objectKey]);
    expect(key.storageKey).toBe("talks/Größe.mp4");
    expect(puts).toBe(2);
  });

  test("does not appear if the edge does not agree", async () => {
    const refusal = new Error("fenced");
    const run = setting(small);
    const link = { ...run.request.link, publish: () => Promise.reject(refusal) };
    await expect(uploadObject({ ...run.request, link })).rejects.toBe(refusal);
    expect(await keysOf(run)).toEqual([]);
  });
});

describe("a large file", () => {
  test("is sent in parts, announced before the first and approved after the last", async () => {
    const run = setting(large);
    const key = await uploadObject(run.request);
    const object = await storage.get(key.objectKey);
    expect(object.bytes.equals(largeBytes)).toBe(true);
    expect(object.metadata).toEqual({ job: run.request.job.job_id, claim: "3" });
    expect(requestsOf(run, "part")).toBe(3);
    expect(run.events.slice(0, 2)).toEqual(["reserve", "upload started"]);
    expect(run.events.slice(2, 5).sort()).toEqual(["2097497 bytes", "5242880 bytes", "5242880 bytes"]);
    expect(run.events.slice(5)).toEqual(["publish"]);
    const completed = faulty.requests.findLast(({ kind }) => kind === "complete");
    expect(completed?.headers).toMatchObject({ "if-none-match": "*" });
  });

  test("counts as stored if it was completed but the response was lost", async () => {
    const run = setting(large);
    let completions = 0;
    faulty.treat(({ kind }) => (kind === "complete" && ++completions === 1 ? "lose_answer" : "pass"));
    const key = await uploadObject(run.request);
    expect(await keysOf(run)).toEqual([key.objectKey]);
  });

  test("is aborted in storage when the job is, with no request left in flight", async () => {
    const run = setting(large);
    const stop = new Error("cancelled");
    faulty.treat(({ kind }) => {
      if (kind !== "part") return "pass";
      setImmediate(() => run.controller.abort(stop));
      return "hang";
    });
    await expect(uploadObject(run.request)).rejects.toBe(stop);
    expect(requestsOf(run, "abort")).toBe(1);
    expect(requestsOf(run, "complete")).toBe(0);
    expect(await keysOf(run)).toEqual([]);
  });

  test("is aborted in storage if the job is aborted while storage is starting it", async () => {
    const reason = new Error("cancelled");
    const given = setting(large);
    faulty.treat(({ kind }) => {
      if (kind === "start") given.controller.abort(reason);
      return "pass";
    });
    await expect(uploadObject(given.request)).rejects.toBe(reason);
    expect(given.events).toEqual(["reserve"]);
    expect([requestsOf(given, "start"), requestsOf(given, "part"), requestsOf(given, "abort")]).toEqual([
      1, 0, 1,
    ]);
  });

  test("is aborted in storage if a part cannot be sent", async () => {
    const run = setting(large);
    faulty.treat(({ kind }) => (kind === "part" ? { status: 403 } : "pass"));
    const failure = uploadObject(run.request);
    await expect(failure).rejects.toMatchObject({ code: "storage_error", detail: "access was denied" });
    expect(requestsOf(run, "abort")).toBe(1);
    expect(run.events).not.toContain("publish");
  });

  test("is aborted before the attempt starts another upload, if storage refused that at first", async () => {
    const run = setting(large);
    faulty.treat(({ kind }) => (kind === "part" || kind === "abort" ? { status: 403 } : "pass"));
    await expect(uploadObject(run.request)).rejects.toMatchObject({ code: "storage_error" });
    await expect(uploadObject(run.request)).rejects.toMatchObject({ code: "storage_error" });
    expect([requestsOf(run, "abort"), requestsOf(run, "start")]).toEqual([2, 1]);
    faulty.treat(() => "pass");
    await uploadObject(run.request);
    expect([requestsOf(run, "abort"), requestsOf(run, "start")]).toEqual([3, 2]);
  });

  test("takes its next name if another object has appeared meanwhile", async () => {
    const run = setting(large);
    let completions = 0;
    faulty.treat(({ kind }) => (kind === "complete" && ++completions === 1 ? { status: 412 } : "pass"));
    const key = await uploadObject(run.request);
    expect(key.storageKey).toBe("talks/Größe (2).mp4");
    expect(await keysOf(run)).toEqual([key.objectKey]);
    expect(requestsOf(run, "abort")).toBe(1);
  });
});

describe("a key that is taken", () => {
  test("is never overwritten: the file takes the next name", async () => {
    const run = setting(small);
    const foreign = `account/${run.request.job.job_id}/talks/Größe.mp4`;
    await storage.put(foreign, "not ours");
    const key = await uploadObject(run.request);
    expect(key.storageKey).toBe("talks/Größe (2).mp4");
    expect((await storage.get(foreign)).bytes.toString()).toBe("not ours");
    expect(run.events).toContain("reserve, not talks/Größe.mp4");
    expect(requestsOf(run, "put")).toBe(1);
  });

  test("is accepted if the same job stored the object", async () => {
    const first = setting(small);
    const { objectKey } = await uploadObject(first.request);
    const second = setting(small, { job: { ...first.request.job, claim: 4 } });
    const link = {
      ...second.request.link,
      reserveKey: () => Promise.resolve({ storageKey: "talks/Größe.mp4", objectKey }),
    };
    expect(await uploadObject({ ...second.request, link })).toMatchObject({ objectKey });
    expect(second.events).toEqual(["publish"]);
  });
});

describe("what an earlier attempt left", () => {
  const earlierOf = (run: Setting, given: object) =>
    sampleTask({
      ...run.request.job,
      claim: 4,
      earlier: {
        storage_key: "talks/Größe.mp4",
        object_key: `account/${run.request.job.job_id}/talks/Größe.mp4`,
        upload_id: null,
        facts: null,
        ...given,
      },
    });
  const adopt = (run: Setting, given: object) =>
    adoptEarlierFile(earlierOf(run, given), run.request.bucket, run.request.link, run.controller.signal);

  test("is adopted if the complete file is in storage", async () => {
    const run = setting(small);
    await uploadObject(run.request);
    run.events.length = 0;
    expect(await adopt(run, { facts: factsOf(smallBytes.length) })).toBe(true);
    expect(run.events).toEqual(["publish"]);
  });

  test("is not adopted if storage has another file, or none", async () => {
    const run = setting(small);
    expect(await adopt(run, { facts: factsOf(smallBytes.length) })).toBe(false);
    await storage.put(`account/${run.request.job.job_id}/talks/Größe.mp4`, "not ours");
    expect(await adopt(run, { facts: factsOf(8) })).toBe(false);
    expect(run.events).toEqual([]);
  });

  test("can no longer be completed once its upload is aborted", async () => {
    const run = setting(large);
    const { bucket } = run.request;
    const objectKey = `account/${run.request.job.job_id}/talks/Größe.mp4`;
    const { signal } = run.controller;
    const headers = {
      ContentType: "video/mp4",
      ContentDisposition: "attachment",
      Metadata: { job: "j", claim: "1" },
    };
    const upload = await bucket.startUpload(objectKey, headers, signal);
    const part = await bucket.putPart(upload, 1, smallBytes, signal);
    expect(await adopt(run, { upload_id: upload.uploadId })).toBe(false);
    await expect(bucket.completeUpload(upload, [part], signal)).rejects.toMatchObject({
      code: "storage_error",
    });
    expect(await keysOf(run)).toEqual([]);
    // Aborting again is harmless: the upload is already gone.
    expect(await adopt(run, { upload_id: upload.uploadId })).toBe(false);
  });
});

describe("storage that goes away for a while", () => {
  const { signal } = new AbortController();
  const guard = createAddressGuard({ allowPrivateNetwork: true }, resolveBySystem);
  const patience = { ...patienceOf(60_000), firstPauseMs: 1, longestPauseMs: 4 };
  const patient = () => createStorage(guard, { patience })(faulty.access);

  test.each([
    ["look", "small", { status: 503 }],
    ["put", "small", "refuse"],
    ["start", "large", { status: 500 }],
    ["part", "large", "refuse"],
    ["complete", "large", { status: 429 }],
  ] as const)("is asked again for each %s, and the job goes on", async (wanted, size, treatment) => {
    const run = setting(size === "small" ? small : large, { bucket: patient() });
    let left = 20;
    faulty.treat(({ kind }) => (kind === wanted && left-- > 0 ? treatment : "pass"));
    const key = await uploadObject(run.request);
    expect(await keysOf(run)).toEqual([key.objectKey]);
    expect(left).toBeLessThanOrEqual(0);
    expect(run.events.filter((event) => event === "reserve")).toHaveLength(1);
  });

  test("is asked again to abort an upload", async () => {
    const run = setting(large, { bucket: patient() });
    let left = 20;
    faulty.treat(({ kind }) => {
      if (kind === "part") return { status: 403 };
      return kind === "abort" && left-- > 0 ? { status: 503 } : "pass";
    });
    await expect(uploadObject(run.request)).rejects.toMatchObject({ code: "storage_error" });
    expect(requestsOf(run, "abort")).toBe(21);
  });

  test("holds no more of the file in memory meanwhile, and is not asked more often", async () => {
    const own = createPartMemory(10 * mib);
    const run = setting(large, {
      bucket: createStorage(guard, { patience: patienceOf(1000) })(faulty.access),
      open: (shared) => fileBody(large, factsOf(largeBytes.length), own.openAccount(), shared),
    });
    let most = 0;
    faulty.treat(({ kind }) => {
      most = Math.max(most, own.usedBytes());
      return kind === "part" ? { status: 503 } : "pass";
    });
    await expect(uploadObject(run.request)).rejects.toMatchObject({ code: "storage_error" });
    expect(most).toBeLessThanOrEqual(10 * mib);
    expect(requestsOf(run, "part")).toBeLessThan(3 * 30);
  });

  test("is not waited for by a job that is stopped, nor if it asks for too long a pause", async () => {
    const run = setting(large, {
      bucket: createStorage(guard, { patience: patienceOf(1e9) })(faulty.access),
    });
    let parts = 0;
    faulty.treat(({ kind }) => {
      if (kind === "part" && ++parts === 8) run.controller.abort(new Error("stopped by the test"));
      return kind === "part" ? { status: 503 } : "pass";
    });
    await expect(uploadObject(run.request)).rejects.toThrow("stopped by the test");
    const bucket = patient();
    faulty.treat(() => ({ status: 503, retryAfter: "61" }));
    await expect(bucket.lookUp("a", signal)).rejects.toMatchObject({ code: "storage_error" });
  });
});

describe("storage that is slow", () => {
  test("is waited for, and nothing is sent twice", async () => {
    const run = setting(large);
    faulty.treat(({ kind }) => (kind === "part" ? { restMs: 5 } : "pass"));
    const key = await uploadObject(run.request);
    expect(await keysOf(run)).toEqual([key.objectKey]);
    expect(requestsOf(run, "part")).toBe(3);
  });

  test("is retried if it stops reading and responding", async () => {
    const guard = createAddressGuard({ allowPrivateNetwork: true }, resolveBySystem);
    const run = setting(large, { bucket: createStorage(guard, { silenceMs: 1000 })(faulty.access) });
    let parts = 0;
    faulty.treat(({ kind }) => (kind === "part" && ++parts === 1 ? "hang" : "pass"));
    const key = await uploadObject(run.request);
    expect(await keysOf(run)).toEqual([key.objectKey]);
    expect(parts).toBeGreaterThan(3);
  });
});

describe("storage that cannot be used", () => {
  const upload = (access: object) => {
    const bucket = openStorage({ ...storage.access, ...access });
    return uploadObject({ ...setting(small).request, bucket });
  };

  test("fails the job with a message for the bucket's owner", async () => {
    const toNowhere = { code: "storage_error", detail: "the bucket does not exist" };
    await expect(upload({ bucket: "nowhere" })).rejects.toMatchObject(toNowhere);
    const denied = { code: "storage_error", detail: "access was denied" };
    await expect(upload({ secret_access_key: "wrong" })).rejects.toMatchObject(denied);
  });

  test("fails the job without revealing its secrets", async () => {
    const secret = "secret-that-is-wrong";
    const error: unknown = await upload({ secret_access_key: secret }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(JobFailure);
    expect(inspect(error, { depth: 10 })).not.toContain(secret);
  });

  test("is not contacted at a forbidden address", () => {
    const guarded = createStorage(createAddressGuard({ allowPrivateNetwork: false }, resolveBySystem));
    expect(() => guarded(storage.access)).toThrow("the endpoint is not allowed");
  });
});
