import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import pMap from "p-map";
import { sidecarKey } from "../../contracts/sidecar-key.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import { allOrNone } from "../pipeline/all-or-none.ts";
import type { ReservedKey } from "../pipeline/job.ts";
import type { Bucket } from "../upload/bucket.ts";
import type { PartMemory } from "../upload/part-memory.ts";
import { KeyTaken } from "../upload/storage-error.ts";
import { objectHeaders, type StoredObject } from "../upload/stored-object.ts";
import type { LocalSidecar } from "./local-sidecar.ts";

export interface SidecarStorage {
  readonly job: ClaimedJob;
  readonly bucket: Bucket;
  readonly partMemory: PartMemory;
  readonly signal: AbortSignal;
}

const contentTypes = { subtitle: "text/vtt; charset=utf-8", thumbnail: "image/jpeg" } as const;
const sidecarsAtOnce = 4;

/**
 * Stores a file's sidecars under its key's suffixes, without overwriting anything: a node that was frozen and resumes
 * cannot change what the next attempt has stored. An existing object counts as stored if an attempt at this job wrote
 * the same bytes. Rejects with KeyTaken if a key has any other object, and with JobFailure `storage_error`; the edge,
 * which has allowed the file to appear by then, deletes what was stored so far. Nothing is running any more when this
 * rejects.
 */
export async function storeSidecars(
  sidecars: readonly LocalSidecar[],
  key: ReservedKey,
  storage: SidecarStorage,
): Promise<void> {
  const waiting = sidecars.values();
  const storeWaiting = async (signal: AbortSignal) => {
    for (const sidecar of waiting) await storeSidecar(sidecar, key, { ...storage, signal });
  };
  await allOrNone(
    storage.signal,
    Array.from({ length: sidecarsAtOnce }, () => storeWaiting),
  );
}

async function storeSidecar(
  sidecar: LocalSidecar,
  key: ReservedKey,
  { job, bucket, partMemory, signal }: SidecarStorage,
): Promise<void> {
  const { kind, suffix } = sidecar;
  const objectKey = sidecarKey(key.objectKey, suffix);
  const headers = objectHeaders(job, sidecarKey(key.storageKey, suffix), contentTypes[kind]);
  // A separate account: whoever has memory for a part of the file must not wait for more while holding it.
  const memory = partMemory.openAccount();
  try {
    const body = await memory.take(sidecar.bytes, signal);
    await fill(body, sidecar.path);
    const isStored = async () => {
      const object = await bucket.lookUp(objectKey, signal);
      if (object !== null && !isSame(object, job, body))
        throw new KeyTaken("another file has a subtitle's or thumbnail's name");
      return object !== null;
    };
    // Not every storage honours If-None-Match.
    if (await isStored()) return;
    try {
      await bucket.put(objectKey, body, headers, signal);
    } catch (error) {
      // The response to a successful request can be lost, and its repetition is refused.
      if (!(error instanceof KeyTaken) || !(await isStored())) throw error;
    }
  } finally {
    memory.close();
  }
}

async function fill(body: Buffer, path: string): Promise<void> {
  const file = await open(path);
  try {
    const { bytesRead } = await file.read(body, 0, body.length, 0);
    if (bytesRead !== body.length) throw new Error("a sidecar became shorter before it was stored");
  } finally {
    await file.close();
  }
}

/** Whether an object is what this attempt wrote, or has the bytes that it would write. */
function isSame({ bytes, jobId, claim, etag }: StoredObject, job: ClaimedJob, body: Buffer): boolean {
  if (bytes !== body.length || jobId !== job.job_id) return false;
  return claim === job.claim || etag === createHash("md5").update(body).digest("hex");
}

/** True if no sidecar key has someone else's object. */
export async function areKeysFree(
  suffixes: readonly string[],
  key: ReservedKey,
  { job, bucket, signal }: Omit<SidecarStorage, "partMemory">,
): Promise<boolean> {
  const objects = await pMap(suffixes, (suffix) => bucket.lookUp(sidecarKey(key.objectKey, suffix), signal), {
    concurrency: sidecarsAtOnce,
  });
  return objects.every((object) => object === null || object.jobId === job.job_id);
}
