import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  type HeadObjectCommandOutput,
  type S3Client,
} from "@aws-sdk/client-s3";
import { pauseAfter, type Patience, type Setbacks } from "../network/patience.ts";
import { pause } from "../reporting/pause.ts";
import { asStorageError, isMissing, setbackOf } from "./storage-error.ts";
import type { ObjectHeaders, StoredObject } from "./stored-object.ts";

/** A multipart upload in progress. */
export interface StartedUpload {
  readonly objectKey: string;
  readonly uploadId: string;
}

export interface FinishedPart {
  readonly number: number;
  readonly etag: string;
}

/**
 * The requests that Ferry makes to a bucket. Each is repeated while storage is busy or away, and rejects with JobFailure
 * `storage_error` when that lasts, or at once with the signal's reason. `put` and `completeUpload` reject with KeyTaken if the object already exists. `put` and
 * `startUpload` first abort what `abortUpload` could not, since the edge knows only a job's latest upload.
 */
export interface Bucket {
  /** Null if there is no such object. */
  lookUp(objectKey: string, signal: AbortSignal): Promise<StoredObject | null>;
  put(objectKey: string, body: Uint8Array, headers: ObjectHeaders, signal: AbortSignal): Promise<void>;
  startUpload(objectKey: string, headers: ObjectHeaders, signal: AbortSignal): Promise<StartedUpload>;
  putPart(
    upload: StartedUpload,
    number: number,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<FinishedPart>;
  /** `parts` must be in ascending order of their numbers. */
  completeUpload(upload: StartedUpload, parts: readonly FinishedPart[], signal: AbortSignal): Promise<void>;
  /** Afterwards the upload can no longer be completed. Idempotent: also resolves if the upload is already gone. */
  abortUpload(upload: StartedUpload, signal: AbortSignal): Promise<void>;
}

/** Opens a bucket for one attempt at a job. The client must not repeat requests by itself. */
export function openBucket(client: S3Client, name: string, patience: Patience): Bucket {
  const asked = <Answer>(signal: AbortSignal, ask: () => Promise<Answer>) =>
    askPatiently(signal, patience, ask);
  const unaborted = new Map<string, StartedUpload>();
  const at = (objectKey: string) => ({ Bucket: name, Key: objectKey });
  const within = ({ objectKey, uploadId }: StartedUpload) => ({ ...at(objectKey), UploadId: uploadId });
  const abort = async (upload: StartedUpload, abortSignal: AbortSignal) => {
    unaborted.set(upload.uploadId, upload);
    await client
      .send(new AbortMultipartUploadCommand(within(upload)), { abortSignal })
      .catch((error: unknown) => nothingIfMissing(error));
    unaborted.delete(upload.uploadId);
  };
  const abortRest = async (signal: AbortSignal) => {
    for (const upload of unaborted.values()) await abort(upload, signal);
  };

  return {
    lookUp: (objectKey, signal) =>
      asked(signal, async () => {
        const head = await client
          .send(new HeadObjectCommand(at(objectKey)), { abortSignal: signal })
          .catch((error: unknown) => nothingIfMissing(error));
        return head && describe(head);
      }),
    put: (objectKey, body, headers, signal) =>
      asked(signal, async () => {
        await abortRest(signal);
        const command = new PutObjectCommand({ ...at(objectKey), ...headers, Body: body, IfNoneMatch: "*" });
        await client.send(command, { abortSignal: signal });
      }),
    startUpload: (objectKey, headers, signal) =>
      asked(signal, async () => {
        await abortRest(signal);
        const command = new CreateMultipartUploadCommand({ ...at(objectKey), ...headers });
        const { UploadId: uploadId } = await client.send(command, { abortSignal: signal });
        if (uploadId === undefined) throw new Error("storage began an upload and gave it no id");
        return { objectKey, uploadId };
      }),
    putPart: (upload, number, body, signal) =>
      asked(signal, async () => {
        const command = new UploadPartCommand({ ...within(upload), PartNumber: number, Body: body });
        const { ETag: etag } = await client.send(command, { abortSignal: signal });
        if (etag === undefined) throw new Error("storage took a part and gave it no ETag");
        return { number, etag };
      }),
    completeUpload: (upload, parts, signal) =>
      asked(signal, async () => {
        const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
        const command = new CompleteMultipartUploadCommand({
          ...within(upload),
          MultipartUpload: { Parts },
          IfNoneMatch: "*",
        });
        await client.send(command, { abortSignal: signal });
      }),
    abortUpload: (upload, signal) => asked(signal, () => abort(upload, signal)),
  };
}

function describe({ ContentLength, Metadata = {}, ETag }: HeadObjectCommandOutput): StoredObject {
  const claim = Metadata["claim"];
  return {
    bytes: ContentLength ?? 0,
    jobId: Metadata["job"] ?? null,
    claim: claim === undefined ? null : Number(claim),
    etag: ETag?.replaceAll('"', "") ?? null,
  };
}

function nothingIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

type Verdict = ReturnType<typeof pauseAfter>;

async function askPatiently<Answer>(
  signal: AbortSignal,
  patience: Patience,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let setbacks: Setbacks | null = null;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const setback = signal.aborted ? null : setbackOf(error);
      const situation = { nowMs: performance.now(), random: Math.random() };
      const verdict: Verdict = setback && pauseAfter(setbacks, setback, situation, patience);
      if (verdict === null) throw asStorageError(error, signal);
      ({ setbacks } = verdict);
      await pause(verdict.pauseMs, signal);
      signal.throwIfAborted();
    }
  }
}
