import { resolve } from "node:path";
import { z } from "zod";
import { isApiKeyShaped } from "../../contracts/api-key.ts";
import { Problem } from "../problem.ts";

/** Settings of edge and node that are passed on unchanged. */
const passedOnNames = [
  "LOG_LEVEL",
  "PROCESSOR_SLOTS",
  "CONNECTIONS_PER_HOST",
  "PATIENCE_SECONDS",
  "MAX_DOWNLOADS",
  "MAX_ENCODES",
  "MAX_UPLOADS",
  "MAX_DISK_MB",
  "DRAIN_GRACE_MS",
  "METRICS_PORT",
  "METRICS_HOST",
  "APPLE_LOOKUP_URL",
  "YT_DLP_PATH",
  "MAX_REQUEST_BODY_BYTES",
  "MAX_SOURCE_FILE_BYTES",
  "MAX_JOB_TIME_MS",
  "MAX_SOURCE_SILENCE_MS",
  "MAX_SHOW_LOOK_MS",
  "MAX_SHOW_EXTRACTION_MS",
  "MAX_FEED_BYTES",
  "RETENTION_DAYS",
] as const;

const port = (fallback: number) =>
  z.coerce
    .number("must be a port number")
    .int("must be a port number")
    .min(1, "must be at least 1")
    .max(65_535, "must be at most 65535")
    .default(fallback);

const settingsSchema = z
  .object({
    PORT: port(8787),
    PROCESSOR_PORT: port(8788),
    STATE_DIR: z.string().min(1).default(".data"),
    DEMO_API_KEY: z.string().refine(isApiKeyShaped, "must be sk_ and 29 letters and digits").optional(),
    ALLOW_PRIVATE_NETWORK: z.enum(["true", "false"], "must be true or false").default("true"),
  })
  .refine((variables) => variables.PORT !== variables.PROCESSOR_PORT, {
    path: ["PROCESSOR_PORT"],
    message: "must differ from PORT",
  });

export interface SystemSettings {
  /** Of the edge. */
  readonly port: number;
  /** Of the node. */
  readonly processorPort: number;
  /** Absolute; contains everything the system stores. */
  readonly stateDir: string;
  /** The demo account's key; null: use the state folder's own. */
  readonly demoApiKey: string | null;
  readonly allowPrivateNetwork: boolean;
  /** More variables for edge and node. */
  readonly passedOn: Readonly<Record<string, string>>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the environment of `npm start`; an empty variable counts as not set. Throws a Problem that names what is wrong. */
export function readSystemSettings(environment: Variables): SystemSettings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = settingsSchema.safeParse(given);
  if (!result.success) {
    const sentences = result.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    throw new Problem(`${sentences.join(". ")}.`);
  }
  const variables = result.data;
  return {
    port: variables.PORT,
    processorPort: variables.PROCESSOR_PORT,
    stateDir: resolve(variables.STATE_DIR),
    demoApiKey: variables.DEMO_API_KEY ?? null,
    allowPrivateNetwork: variables.ALLOW_PRIVATE_NETWORK === "true",
    passedOn: Object.fromEntries(
      passedOnNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    ),
  };
}
