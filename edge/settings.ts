import { z } from "zod";
import { defaultLimits } from "../contracts/limits.ts";
import type { StorageAccess } from "../contracts/storage-location.ts";
import { encryptionKeySchema } from "./encryption/encryption-key.ts";

const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true");
const dayMs = 24 * 60 * 60 * 1000;
const limit = (fallback: number) => z.coerce.number().int().positive().default(fallback);

/** The variables and secrets of a deployment. Their names are public interface for operators. */
const settingsSchema = z
  .object({
    PROCESSOR_SECRET: z.string().min(32, "PROCESSOR_SECRET must have at least 32 characters"),
    PROCESSOR_SECRET_PREVIOUS: z
      .string()
      .min(32, "PROCESSOR_SECRET_PREVIOUS must have at least 32 characters")
      .optional(),
    ENCRYPTION_KEY: encryptionKeySchema,
    ENCRYPTION_KEY_PREVIOUS: encryptionKeySchema.optional(),
    STORAGE_ENDPOINT: z.url(),
    STORAGE_BUCKET: z.string().min(1),
    STORAGE_REGION: z.string().default("auto"),
    STORAGE_ACCESS_KEY_ID: z.string().min(1),
    STORAGE_SECRET_ACCESS_KEY: z.string().min(1),
    EDGE_URL: z.url({ protocol: /^https?$/ }).optional(),
    MAX_CONTAINERS: z.coerce.number().int().min(0).max(1000).default(0),
    CONTAINER_IDLE_MS: limit(defaultLimits.containerIdleMs),
    ALLOW_PRIVATE_NETWORK: flag,
    LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
    MAX_REQUEST_BODY_BYTES: limit(defaultLimits.requestBodyBytes),
    MAX_SOURCE_FILE_BYTES: limit(defaultLimits.sourceFileBytes),
    MAX_JOB_TIME_MS: limit(defaultLimits.jobTimeMs),
    MAX_SOURCE_SILENCE_MS: limit(defaultLimits.sourceSilenceMs),
    MAX_SHOW_LOOK_MS: limit(defaultLimits.showLookMs),
    MAX_SHOW_EXTRACTION_MS: limit(defaultLimits.showExtractionMs),
    MAX_FEED_BYTES: limit(defaultLimits.feedBytes),
    RETENTION_DAYS: z.coerce.number().int().positive().optional(),
  })
  .transform((vars) => ({
    /** Messages signed with either secret are accepted; ours are signed with both. */
    processorSecrets: [vars.PROCESSOR_SECRET, vars.PROCESSOR_SECRET_PREVIOUS].filter(
      (secret) => secret !== undefined,
    ),
    /** Newest first: it encrypts the secrets that clients enter; both decrypt. */
    encryptionKeys: [vars.ENCRYPTION_KEY, vars.ENCRYPTION_KEY_PREVIOUS].filter((key) => key !== undefined),
    managedStorage: {
      endpoint: vars.STORAGE_ENDPOINT.replace(/\/$/, ""),
      bucket: vars.STORAGE_BUCKET,
      region: vars.STORAGE_REGION,
      access_key_id: vars.STORAGE_ACCESS_KEY_ID,
      secret_access_key: vars.STORAGE_SECRET_ACCESS_KEY,
      force_path_style: true,
    } satisfies StorageAccess,
    /** Where nodes in containers reach this edge; null until the deployment knows. */
    edgeUrl: vars.EDGE_URL ?? null,
    /** How many containers may be awake at a time. */
    containersMax: vars.EDGE_URL === undefined ? 0 : vars.MAX_CONTAINERS,
    allowPrivateNetwork: vars.ALLOW_PRIVATE_NETWORK,
    logLevel: vars.LOG_LEVEL,
    /** How long ended jobs are kept before their records are trimmed; null: forever. */
    retentionMs: vars.RETENTION_DAYS === undefined ? null : vars.RETENTION_DAYS * dayMs,
    limits: {
      requestBodyBytes: vars.MAX_REQUEST_BODY_BYTES,
      sourceFileBytes: vars.MAX_SOURCE_FILE_BYTES,
      jobTimeMs: vars.MAX_JOB_TIME_MS,
      sourceSilenceMs: vars.MAX_SOURCE_SILENCE_MS,
      showLookMs: vars.MAX_SHOW_LOOK_MS,
      showExtractionMs: vars.MAX_SHOW_EXTRACTION_MS,
      feedBytes: vars.MAX_FEED_BYTES,
      containerIdleMs: vars.CONTAINER_IDLE_MS,
    },
  }));

export type Settings = z.infer<typeof settingsSchema>;

/** All variables and secrets. */
export const settingNames: ReadonlySet<string> = new Set(Object.keys(settingsSchema.in.shape));

/** Reads the settings; throws an error that names every missing or invalid variable, but no values. */
export function readSettings(variables: unknown): Settings {
  const result = settingsSchema.safeParse(variables);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`Settings are missing or wrong. ${problems.join("; ")}`);
}
