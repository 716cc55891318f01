import { z } from "@hono/zod-openapi";
import { type AddressPolicy, sourceUrlProblem } from "../../contracts/address-rules.ts";
import type { StorageAccess } from "../../contracts/storage-location.ts";
import { objectUrl } from "./object-url.ts";

/** Body of POST /user/bucket. An empty string arrives here as null: read-body.ts converts it. */
export function bucketRequestSchema(policy: AddressPolicy) {
  return z
    .strictObject({
      endpoint: requiredText("endpoint", (endpoint) => isEndpoint(endpoint, policy)).meta({
        description: "Absolute http or https URL of the S3 API, without the bucket.",
        format: "uri",
      }),
      bucket: requiredText("bucket", (bucket) => /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/.test(bucket)).meta({
        description: "The bucket's name; it must exist.",
      }),
      region: textField("region", (region) => /^[A-Za-z0-9-]{1,64}$/.test(region))
        .nullish()
        .meta({ description: "The storage's name for its region.", default: "auto" })
        .transform((region) => region ?? "auto"),
      access_key_id: requiredText("access_key_id", (id) => /^[!-.0-~]{1,256}$/.test(id)).meta({
        description: "Belongs to a key that may store, read and delete objects in the bucket.",
      }),
      secret_access_key: requiredText("secret_access_key", (secret) => /^[!-~]{1,1024}$/.test(secret)).meta({
        description: "Stored encrypted; no response ever contains it.",
        writeOnly: true,
      }),
      force_path_style: z
        .boolean({ error: "force_path_style must be a boolean" })
        .nullish()
        .meta({
          description: "Whether the bucket is part of the URL's path rather than its host name.",
          default: true,
        })
        .transform((flag) => flag ?? true),
    })
    .superRefine((request, context) => {
      if (!isBucketUrlAllowed(request, policy)) {
        context.addIssue({ code: "custom", path: ["endpoint"], message: "Invalid endpoint" });
      }
    })
    .transform((request): StorageAccess => ({ ...request, endpoint: canonicalEndpoint(request.endpoint) }));
}

function requiredText(name: string, isValid: (value: string) => boolean) {
  return textField(name, isValid, `Missing ${name}`);
}

function textField(name: string, isValid: (value: string) => boolean, missing = `${name} must be a string`) {
  return (
    z
      .string({
        error: ({ input }) => (input === undefined || input === null ? missing : `${name} must be a string`),
      })
      // Aborts, so that the whole is not judged while a part is invalid.
      .refine(isValid, { error: `Invalid ${name}`, abort: true })
  );
}

function isEndpoint(endpoint: string, policy: AddressPolicy): boolean {
  if (!endpoint.isWellFormed() || /[\s\\?#]/.test(endpoint)) return false;
  return sourceUrlProblem(endpoint, policy) === null;
}

/** With the bucket's name in front, the host becomes a different one. */
function isBucketUrlAllowed(
  place: Pick<StorageAccess, "endpoint" | "bucket" | "force_path_style">,
  policy: AddressPolicy,
): boolean {
  try {
    return sourceUrlProblem(objectUrl(place, "").href, policy) === null;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Normalizes an endpoint, so that a bucket configured again is the same location. */
function canonicalEndpoint(endpoint: string): string {
  return new URL(endpoint).href.replace(/\/+$/, "");
}

/** A configured bucket as shown in responses: without anything that signs requests. */
const shownBucket = { endpoint: z.string(), bucket: z.string(), region: z.string() };
const exampleBucket = { endpoint: "https://s3.example", bucket: "my-media", region: "auto" };

export const bucketConfiguredSchema = z
  .object({ message: z.string(), bucket: z.object(shownBucket) })
  .openapi("BucketConfigured", { example: { message: "Bucket configured", bucket: exampleBucket } });

export const currentBucketSchema = z
  .object({
    bucket: z
      .object({ ...shownBucket, force_path_style: z.boolean() })
      .nullable()
      .openapi({ description: "Null: files go to managed storage." }),
  })
  .openapi("CurrentBucket", { example: { bucket: { ...exampleBucket, force_path_style: true } } });

export const bucketResetSchema = z
  .object({ message: z.string() })
  .openapi("BucketReset", { example: { message: "Using managed storage" } });
