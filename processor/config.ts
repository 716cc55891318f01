import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { isNodeLink } from "../contracts/node-link.ts";
import { defaultConnectionsPerHost } from "./network/network.ts";
import { defaultPatience, patienceOf } from "./network/patience.ts";
import { nodeWorkFolder } from "./work/work-folder.ts";

/** How long a node that is shutting down lets its jobs continue. */
export const defaultDrainGraceMs = 10_000;

/** A job mostly waits for the network, so a core can carry several slots. */
const slotsPerCore = 4;
/** An encoder uses every core it finds. */
const coresPerEncode = 2;
const wildcardHosts = new Set(["0.0.0.0", "::"]);

const flag = z
  .enum(["true", "false"], "must be true or false")
  .default("false")
  .transform((text) => text === "true");
const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);
const secret = z
  .string("is missing: it is the secret this node shares with the edge")
  .min(32, "must have at least 32 characters");

/** A node's environment variables. Their names are public interface for operators. */
const configSchema = z
  .object({
    EDGE_URL: httpUrl,
    PROCESSOR_SECRET: secret,
    PROCESSOR_SECRET_PREVIOUS: secret.optional(),
    PORT: wholeNumber(1, 65_535).default(8788),
    HOST: z.string().optional(),
    METRICS_PORT: wholeNumber(1, 65_535).optional(),
    METRICS_HOST: z.string().default("127.0.0.1"),
    PUBLIC_ADDRESS: z
      .string()
      .regex(/^(https?|container):\/\/[^/?#\s]+\/?$/, "must be http(s)://host[:port] or container://name")
      .optional(),
    PROCESSOR_SLOTS: wholeNumber(1, 1000).default(slotsPerCore * availableParallelism()),
    MAX_DOWNLOADS: wholeNumber(1, 1000).optional(),
    MAX_ENCODES: wholeNumber(1, 1000).default(Math.ceil(availableParallelism() / coresPerEncode)),
    MAX_UPLOADS: wholeNumber(1, 1000).optional(),
    MAX_DISK_MB: wholeNumber(1, 1_000_000_000).optional(),
    CONNECTIONS_PER_HOST: wholeNumber(1, 1000).default(defaultConnectionsPerHost),
    PATIENCE_SECONDS: wholeNumber(1, 3600).default(defaultPatience.withinMs / 1000),
    WORK_DIR: z.string().default(join(tmpdir(), "ferry")),
    ALLOW_PRIVATE_NETWORK: flag,
    LOG_LEVEL: z
      .enum(["debug", "info", "warn", "error"], "must be debug, info, warn or error")
      .default("info"),
    DRAIN_GRACE_MS: wholeNumber(0, 3_600_000).default(defaultDrainGraceMs),
    YT_DLP_PATH: z.string().default("yt-dlp"),
    FFMPEG_PATH: z.string().default("ffmpeg"),
    FFPROBE_PATH: z.string().default("ffprobe"),
    APPLE_LOOKUP_URL: httpUrl.default("https://itunes.apple.com/lookup"),
  })
  .transform((vars, context) => {
    const host = vars.HOST ?? (vars.ALLOW_PRIVATE_NETWORK ? "127.0.0.1" : "0.0.0.0");
    if (vars.PUBLIC_ADDRESS === undefined && wildcardHosts.has(host)) {
      context.addIssue({
        code: "custom",
        path: ["PUBLIC_ADDRESS"],
        message: "is missing: it says where the edge reaches this node, such as https://node-1.example.com",
      });
      return z.NEVER;
    }
    const publicAddress = vars.PUBLIC_ADDRESS?.replace(/\/$/, "") ?? `http://${urlHost(host)}:${vars.PORT}`;
    const policy = { allowPrivateNetwork: vars.ALLOW_PRIVATE_NETWORK };
    const links = [
      ["EDGE_URL", vars.EDGE_URL],
      ["PUBLIC_ADDRESS", publicAddress],
    ] as const;
    const unsafe = links.filter(([, address]) => !isNodeLink(address, policy));
    for (const [name] of unsafe)
      context.addIssue({
        code: "custom",
        path: [name],
        message: "must be https, since it leaves this machine",
      });
    if (unsafe.length > 0) return z.NEVER;
    return {
      edgeUrl: vars.EDGE_URL,
      /** Messages signed with either secret are accepted; ours are signed with both. */
      secrets: [vars.PROCESSOR_SECRET, vars.PROCESSOR_SECRET_PREVIOUS].filter((text) => text !== undefined),
      host,
      port: vars.PORT,
      publicAddress,
      /** Where metrics are served; null: nowhere. */
      metrics: vars.METRICS_PORT === undefined ? null : { host: vars.METRICS_HOST, port: vars.METRICS_PORT },
      slots: vars.PROCESSOR_SLOTS,
      /** How many jobs may be in each stage at once. */
      stages: {
        downloads: vars.MAX_DOWNLOADS ?? vars.PROCESSOR_SLOTS,
        encodes: vars.MAX_ENCODES,
        uploads: vars.MAX_UPLOADS ?? vars.PROCESSOR_SLOTS,
      },
      /** For all jobs together. Null: 90 % of what is free when the first one starts. */
      diskBytes: vars.MAX_DISK_MB === undefined ? null : vars.MAX_DISK_MB * 1e6,
      connectionsPerHost: vars.CONNECTIONS_PER_HOST,
      /** With sources and storage that are busy or restarting. */
      patience: patienceOf(vars.PATIENCE_SECONDS * 1000),
      /** Emptied when the node starts. */
      workFolder: nodeWorkFolder(vars.WORK_DIR, vars.PORT),
      allowPrivateNetwork: vars.ALLOW_PRIVATE_NETWORK,
      logLevel: vars.LOG_LEVEL,
      drainGraceMs: vars.DRAIN_GRACE_MS,
      appleLookupUrl: vars.APPLE_LOOKUP_URL,
      programs: { ytDlp: vars.YT_DLP_PATH, ffmpeg: vars.FFMPEG_PATH, ffprobe: vars.FFPROBE_PATH },
    };
  });

export type Config = z.infer<typeof configSchema>;

/** A variable is missing or invalid. The message names each one and its problem, but no values. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the node's settings from the environment; an empty variable counts as not given. Throws ConfigError. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = configSchema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  throw new ConfigError(`The node cannot start: ${problems.join("; ")}.`);
}

function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
