import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { S3Client } from "@aws-sdk/client-s3";
import type { StorageAccess } from "../../contracts/storage-location.ts";
import { ForbiddenAddress, type AddressGuard } from "../network/address-guard.ts";
import { JobFailure } from "../pipeline/job.ts";
import { openBucket, type Bucket } from "./bucket.ts";

const attemptsMax = 5;
const connectTimeoutMs = 10_000;
/** Storage that takes and says nothing for this long, while a part is sent or after it, is asked again. */
const silenceMaxMs = 60_000;

/** Opens a job's bucket. Throws JobFailure `storage_error` for an endpoint that may not be contacted. */
export type OpenStorage = (access: StorageAccess) => Bucket;

/** Buckets on connections that outlive a job. A client names its endpoint, so it is guarded as a source is. */
export function createStorage(guard: AddressGuard, silenceMs = silenceMaxMs): OpenStorage {
  const options = { keepAlive: true, lookup: guard.lookup };
  const requestHandler = {
    httpAgent: new HttpAgent(options),
    httpsAgent: new HttpsAgent(options),
    connectionTimeout: connectTimeoutMs,
    socketTimeout: silenceMs,
  };

  return (access) => {
    checkEndpoint(access.endpoint, guard);
    const client = new S3Client({
      endpoint: access.endpoint,
      region: access.region,
      forcePathStyle: access.force_path_style,
      credentials: { accessKeyId: access.access_key_id, secretAccessKey: access.secret_access_key },
      maxAttempts: attemptsMax,
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler,
    });
    leavePayloadsUnsigned(client);
    return openBucket(client, access.bucket);
  };
}

function checkEndpoint(endpoint: string, guard: AddressGuard): void {
  try {
    guard.checkLiteral(new URL(endpoint).hostname);
  } catch (error) {
    if (!(error instanceof ForbiddenAddress)) throw error;
    throw new JobFailure("storage_error", "the endpoint is not allowed", { cause: error });
  }
}

/** Hashing every byte for the signature is most of what an upload costs; TLS guards them on the way. */
function leavePayloadsUnsigned(client: S3Client): void {
  client.middlewareStack.add(
    (next) => (args) => {
      if (hasHeaders(args.request)) args.request.headers["x-amz-content-sha256"] = "UNSIGNED-PAYLOAD";
      return next(args);
    },
    { step: "build", name: "leavePayloadsUnsigned" },
  );
}

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === "object" && request !== null && "headers" in request;
}
