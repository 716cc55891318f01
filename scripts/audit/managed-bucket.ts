import {
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { z } from "zod";
import { edgeUrl } from "../local-system/edge.ts";
import type { SystemSettings } from "../local-system/settings.ts";
import { localStorageVariables } from "../local-system/storage.ts";
import { Problem } from "../problem.ts";

const storageSchema = z.object({
  STORAGE_ENDPOINT: z.url(),
  STORAGE_BUCKET: z.string().min(1),
  STORAGE_REGION: z.string().default("auto"),
  STORAGE_ACCESS_KEY_ID: z.string().min(1),
  STORAGE_SECRET_ACCESS_KEY: z.string().min(1),
});
type ManagedStorage = z.infer<typeof storageSchema>;

export interface FoundObject {
  readonly bytes: number;
  /** The job that wrote it; null if Ferry did not. */
  readonly jobId: string | null;
}

export interface OpenUpload {
  readonly objectKey: string;
  readonly uploadId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** What an audit asks the managed bucket. Rejects with a Problem if storage does not answer. */
export interface ManagedBucket {
  /** Null if there is no object. */
  lookUp(objectKey: string): Promise<FoundObject | null>;
  /** Every multipart upload that was started and not ended; null if this storage cannot list them. */
  listUploads(): Promise<OpenUpload[] | null>;
}

/** The bucket of the local system, which has to be running. */
export const localManagedStorage = (settings: SystemSettings): ManagedStorage =>
  localStorageVariables(edgeUrl(settings));

/** The deployment's bucket according to the environment. Throws a Problem that says what is missing. */
export function remoteManagedStorage(
  environment: Readonly<Record<string, string | undefined>>,
): ManagedStorage {
  const result = storageSchema.safeParse(environment);
  if (result.success) return result.data;
  throw new Problem(`Needed: ${result.error.issues.map(({ path }) => path.join(".")).join(", ")}`);
}

/** Opens the bucket with its own credentials; nothing is requested yet. */
export function openManagedBucket(storage: ManagedStorage): ManagedBucket {
  const client = new S3Client({
    endpoint: storage.STORAGE_ENDPOINT,
    region: storage.STORAGE_REGION,
    forcePathStyle: true,
    credentials: {
      accessKeyId: storage.STORAGE_ACCESS_KEY_ID,
      secretAccessKey: storage.STORAGE_SECRET_ACCESS_KEY,
    },
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const Bucket = storage.STORAGE_BUCKET;

  return {
    async lookUp(objectKey) {
      try {
        const head = await client.send(new HeadObjectCommand({ Bucket, Key: objectKey }));
        return { bytes: head.ContentLength ?? 0, jobId: head.Metadata?.["job"] ?? null };
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw unanswered(error);
      }
    },

    async listUploads() {
      const uploads: OpenUpload[] = [];
      let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
      try {
        while (after !== null) {
          const page: Awaited<ReturnType<typeof listPage>> = await listPage(after);
          for (const { Key = "", UploadId = "", Initiated } of page.Uploads ?? [])
            uploads.push({ objectKey: Key, uploadId: UploadId, startedAt: Initiated?.getTime() ?? 0 });
          after = page.IsTruncated
            ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
            : null;
        }
        return uploads;
      } catch (error) {
        if (statusOf(error) === 501) return null;
        throw unanswered(error);
      }
    },
  };

  function listPage(after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined }) {
    return client.send(new ListMultipartUploadsCommand({ Bucket, ...after }));
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function unanswered(error: unknown): Problem {
  const status = statusOf(error);
  const reason =
    status === undefined ? "could not be reached; a local one runs with npm start" : `answered ${status}`;
  return new Problem(`Managed storage ${reason}.`, { cause: error });
}
