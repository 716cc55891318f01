import { randomBytes } from "node:crypto";
import { appendFile, chmod } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { readSettings, settingNames } from "../../edge/settings.ts";
import { Problem } from "../problem.ts";
import { readIfThere } from "../read-if-there.ts";
import { type MadeSecret, secretNames } from "./deployment-secrets.ts";
import type { ContainerSettings } from "./worker-config.ts";

/** What is specific to one environment: `deploy.<environment>.env`, which git ignores. Values are used as written. */
export interface EnvironmentFile {
  readonly path: string;
  /** Secrets by name, to be passed only in files. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The Worker's other settings. */
  readonly variables: Readonly<Record<string, string>>;
  /** Where clients and nodes reach the edge, if it is to have its own domain. */
  readonly edgeUrl: URL | null;
  /** Null without MAX_CONTAINERS. */
  readonly containers: ContainerSettings | null;
}

/** Settings of a deployment's containers that do not concern the Worker. */
const buildArgumentNames = ["YT_DLP_VERSION", "YT_DLP_SOURCE", "YT_DLP_SHA256"] as const;
const containerNames: ReadonlySet<string> = new Set([
  "CONTAINER_TYPE",
  "CONTAINER_IMAGE",
  ...buildArgumentNames,
]);

/** Replace secrets that only the Worker has, while the other settings are validated. */
const placeholders = {
  PROCESSOR_SECRET: "-".repeat(32),
  ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
  STORAGE_ENDPOINT: "https://storage.invalid",
  STORAGE_BUCKET: "-",
  STORAGE_ACCESS_KEY_ID: "-",
  STORAGE_SECRET_ACCESS_KEY: "-",
};

const makers: Record<MadeSecret, () => string> = {
  PROCESSOR_SECRET: () => randomBytes(32).toString("hex"),
  ENCRYPTION_KEY: () => randomBytes(32).toString("base64"),
};

/** Reads the file, or an empty one. A Problem names what the Worker would reject, before anything is changed. */
export async function readEnvironmentFile(folder: string, environment: string): Promise<EnvironmentFile> {
  const path = join(folder, `deploy.${environment}.env`);
  const entries = Object.entries(parseEnv(await readOrEmpty(path)))
    .map(([name, value]): [string, string] => [name, value ?? ""])
    .filter(([, value]) => value !== "");
  const given = Object.fromEntries(entries);
  const { EDGE_URL: edgeUrl } = given;
  const settings = Object.fromEntries(
    entries.filter(([name]) => name !== "EDGE_URL" && !containerNames.has(name)),
  );
  const unknown = Object.keys(settings).filter((name) => !settingNames.has(name));
  if (unknown.length > 0) throw new Problem(`${path} has settings that do not exist: ${unknown.join(", ")}`);
  try {
    readSettings({ ...placeholders, ...settings });
  } catch (error) {
    throw new Problem(`${path}: ${error instanceof Error ? error.message : ""}`, { cause: error });
  }
  const pick = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => isWanted(name)));
  return {
    path,
    secrets: pick((name) => secretNames.has(name)),
    variables: pick((name) => !secretNames.has(name)),
    edgeUrl: edgeUrl === undefined ? null : readEdgeUrl(path, edgeUrl),
    containers: readContainers(given),
  };
}

/**
 * Generates secrets and saves them in the environment's file, readable only by its owner, before anyone else gets them:
 * an interrupted deployment continues with the same ones.
 */
export async function makeSecrets(
  path: string,
  names: readonly MadeSecret[],
): Promise<Record<string, string>> {
  const made = Object.fromEntries(names.map((name) => [name, makers[name]()]));
  const lines = Object.entries(made).map(([name, value]) => `${name}=${value}\n`);
  const text = await readOrEmpty(path);
  const separator = text === "" || text.endsWith("\n") ? "" : "\n";
  await appendFile(path, separator + lines.join(""), { mode: 0o600 });
  await chmod(path, 0o600);
  return made;
}

async function readOrEmpty(path: string): Promise<string> {
  return (await readIfThere(path))?.toString() ?? "";
}

function readContainers(given: Readonly<Record<string, string>>): ContainerSettings | null {
  if (given["MAX_CONTAINERS"] === undefined) return null;
  return {
    max: Number(given["MAX_CONTAINERS"]),
    instanceType: given["CONTAINER_TYPE"] ?? null,
    image: given["CONTAINER_IMAGE"] ?? null,
    buildArguments: Object.fromEntries(
      buildArgumentNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    ),
  };
}

function readEdgeUrl(path: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:" || url.pathname !== "/" || url.search !== "") {
    throw new Problem(`${path}: EDGE_URL must be https:// and a host name`);
  }
  return url;
}
