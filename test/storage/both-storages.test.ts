import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileFacts } from "../../contracts/file-facts.ts";
import type { StorageAccess } from "../../contracts/storage-location.ts";
import { createLog } from "../../edge/log.ts";
import { deleteFiles } from "../../edge/storage/delete-files.ts";
import { presignGet } from "../../edge/storage/presign.ts";
import { probeBucket } from "../../edge/storage/probe-bucket.ts";
import { createAddressGuard, resolveBySystem } from "../../processor/network/address-guard.ts";
import { fileBody } from "../../processor/upload/file-body.ts";
import { createStorage } from "../../processor/upload/open-storage.ts";
import { createPartMemory } from "../../processor/upload/part-memory.ts";
import { type ObjectUpload, uploadObject } from "../../processor/upload/upload-object.ts";
import { startLocalStorage } from "../processor/upload/local-storage.ts";
import { type SecondStorage, startSecondStorage } from "../processor/upload/second-storage.ts";

const openStorage = createStorage(createAddressGuard({ allowPrivateNetwork: true }, resolveBySystem));
const edge = {
  fetch,
  clock: Date.now,
  log: createLog("error", Date.now),
  newId: () => crypto.randomUUID(),
  newToken: () => crypto.randomUUID(),
};
const mib = 1024 * 1024;
const files = { small: randomBytes(1000), large: randomBytes(11 * mib + 7) };
type Name = keyof typeof files;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-test-storages-"));
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const memory = createPartMemory(96 * mib);

function factsOf(name: Name): FileFacts {
  const media = {
    container: "mp4",
    duration_seconds: null,
    width: null,
    height: null,
    video_codec: null,
    audio_codec: null,
    bitrate_bps: null,
  };
  return { file_size: files[name].length, media, sidecars: [], preferred_subtitle: null };
}

/** An upload to a custom bucket, where a file's key is its object's. */
function uploadOf(access: StorageAccess, name: Name, jobId: string): ObjectUpload {
  let names = 0;
  return {
    job: { account_id: "account", job_id: jobId, claim: 1 },
    bucket: openStorage(access),
    link: {
      async reserveKey() {
        names += 1;
        const storageKey = `shows/It's a + b, Größe 100% ${name}${names > 1 ? ` (${names})` : ""}.mp4`;
        return { storageKey, objectKey: storageKey };
      },
      async uploadStarted() {},
      async publish() {},
    },
    open: (signal) => fileBody(join(folder, name), factsOf(name), memory.openAccount(), signal),
    title: null,
    extension: "mp4",
    contentType: "video/mp4",
    signal: new AbortController().signal,
    onBytes: () => {},
    log: pino({ level: "silent" }),
  };
}

describe.each([
  ["R2", startLocalStorage],
  ["another S3 server", startSecondStorage],
])("on %s", (_, start) => {
  let access: StorageAccess;
  let storage: SecondStorage;
  beforeAll(async () => {
    storage = await start();
    access = storage.access;
  });
  afterAll(() => storage.close());
  const storageOf = () => ({ access, isManaged: false, objectKey: (key: string) => key });

  test("a working bucket passes its test, and nothing is left in it", async () => {
    await expect(probeBucket(edge, access)).resolves.toBeUndefined();
  });

  test.each([
    [{ secret_access_key: "wrong" }, "Bucket test failed at put: access was denied"],
    [{ access_key_id: "nobody" }, "Bucket test failed at put: access was denied"],
    [{ bucket: "no-such-bucket" }, "Bucket test failed at put: the bucket or the object is not there"],
    [{ endpoint: "http://127.0.0.1:9" }, "Bucket test failed at put: the endpoint could not be reached"],
  ])("%j fails the test with the message of the failing step", async (wrong, sentence) => {
    await expect(probeBucket(edge, { ...access, ...wrong })).rejects.toThrow(sentence);
  });

  test.each<Name>(["small", "large"])("a %s file is stored, fetched by its URL and deleted", async (name) => {
    const { storageKey } = await uploadObject(uploadOf(access, name, `job-${name}`));
    const url = await presignGet(access, storageKey, Date.now());
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(files[name].equals(await answer.bytes())).toBe(true);
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename/);
    const forged = new URL(url);
    forged.searchParams.set("X-Amz-Signature", "0".repeat(64));
    expect((await fetch(forged)).status).toBe(403);

    await deleteFiles(edge, storageOf(), storageKey, ["never/was.vtt"]);
    expect((await fetch(url)).status).toBe(404);
    await expect(deleteFiles(edge, storageOf(), storageKey, [])).resolves.toBeUndefined();
  });

  test.each<Name>(["small", "large"])(
    "another job's object is not overwritten by a %s file",
    async (name) => {
      const first = await uploadObject(uploadOf(access, name, "job-first"));
      const second = await uploadObject(uploadOf(access, name, "job-second"));
      expect(second.storageKey).toBe(first.storageKey.replace(".mp4", " (2).mp4"));
    },
  );

  test("a deletion with wrong credentials is rejected", async () => {
    const wrong = { ...storageOf(), access: { ...access, secret_access_key: "wrong" } };
    await expect(deleteFiles(edge, wrong, "a.mp4", [])).rejects.toThrow("Storage refused the deletion");
  });
});
