import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { S3Client } from "@aws-sdk/client-s3";
import type { StorageAccess } from "../../contracts/storage-location.ts";
import { ForbiddenAddress, type AddressGuard } from "../network/address-guard.ts";
import { defaultPatience, type Patience } from "../network/patience.ts";
import { JobFailure } from "../pipeline/job.ts";
import { awaitPlainAnswers, boundAnswers } from "./bounded-answers.ts";
import { openBucket, type Bucket } from "./bucket.ts";

const connectTimeoutMs = 10_000;
/** A request is retried if the connection is idle for this long, whether while sending a part or after it. */
const silenceMaxMs = 60_000;

/** Opens a job's bucket. Throws JobFailure `storage_error` if its endpoint is a forbidden address. */
export type OpenStorage = (access: StorageAccess) => Bucket;

/** Reuses connections across jobs. Clients choose the endpoint, so it is guarded like the address of a source. */
export function createStorage(
  guard: AddressGuard,
  { silenceMs = silenceMaxMs, patience = defaultPatience }: { silenceMs?: number; patience?: Patience } = {},
): OpenStorage {
  const options = { keepAlive: true, lookup: guard.lookup };
  const httpAgent = new HttpAgent(options);
  const httpsAgent = new HttpsAgent(options);
  awaitPlainAnswers(httpAgent);
  awaitPlainAnswers(httpsAgent);
  const requestHandler = {
    httpAgent,
    httpsAgent,
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
      // Its own pauses would be short, and would outlast the job's end.
      maxAttempts: 1,
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler,
    });
    leavePayloadsUnsigned(client);
    boundAnswers(client);
    return openBucket(client, access.bucket, patience);
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

/** Hashing the payload for the signature is most of an upload's CPU cost, and TLS already protects it in transit. */
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
