import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import { Problem } from "../problem.ts";
import { readAccount } from "./account.ts";
import { edgeUrlName, planSecrets } from "./deployment-secrets.ts";
import { makeSecrets, readEnvironmentFile } from "./environment-file.ts";
import type { RemoteWrangler, WranglerOutcome } from "./remote-wrangler.ts";
import { resourceSteps } from "./resource-steps.ts";
import { deployedConfig, type ResourceNames, resourceNames, type WorkerConfig } from "./worker-config.ts";

export interface DeployOptions {
  readonly environment: string;
  /** Where wrangler.toml is, and the environment's file. */
  readonly root: string;
  readonly wrangler: RemoteWrangler;
  readonly say: (line: string) => void;
}

const secretListSchema = z.array(z.object({ name: z.string() }));
const deployedSchema = z.object({ type: z.literal("deploy"), targets: z.array(z.string()).default([]) });

/**
 * Brings an account into the state that the environment's configuration describes, and returns the edge's address.
 * Every step checks first and may be repeated, so an interrupted deployment is finished by the next one. A Problem says
 * what the user has to do.
 */
export async function deploy({ environment, root, wrangler, say }: DeployOptions): Promise<string[]> {
  const file = await readEnvironmentFile(root, environment);
  const account = await readAccount(wrangler);
  say(`Account: ${account.name}`);
  const config = deployedConfig(await readToml(root), {
    environment,
    variables: { STORAGE_ENDPOINT: account.storageEndpoint, ...file.variables },
    domain: file.edgeUrl?.host ?? null,
    containers: file.containers,
  });
  const names = resourceNames(config);
  const onAccount: RemoteWrangler = (args, options) =>
    wrangler(args, { ...options, env: { ...options?.env, CLOUDFLARE_ACCOUNT_ID: account.id } });

  for (const step of resourceSteps(names)) {
    const isThere = step.isThere(await onAccount(step.look, { cwd: tmpdir() }));
    if (!isThere) orProblem(step.title, await onAccount(step.make, { cwd: tmpdir() }));
    say(`${step.title}: ${isThere ? "exists" : "created"}`);
  }

  const present = await presentSecrets(onAccount, names.worker);
  const plan = planSecrets(new Set(Object.keys(file.secrets)), present);
  if (plan.missing.length > 0) throw new Problem(howToGiveStorageKeys(file.path, names, plan.missing));
  const secrets = {
    ...file.secrets,
    ...(await makeSecrets(file.path, plan.make)),
    ...(file.edgeUrl && { [edgeUrlName]: file.edgeUrl.origin }),
  };
  if (plan.make.length > 0)
    say(`${plan.make.join(" and ")}: generated and saved in ${file.path}; keep that file safe`);

  const configPath = await writeConfig(root, environment, config);
  const migrated = await onAccount([
    "d1",
    "migrations",
    "apply",
    names.database,
    "--remote",
    "--config",
    configPath,
  ]);
  orProblem("Migrations", migrated);
  say("Migrations: applied");
  const targets = await deployWorker(onAccount, configPath, secrets);
  say(`Worker ${names.worker}: deployed with ${Object.keys(secrets).length} secrets from the file`);
  if ((file.containers?.max ?? 0) === 0)
    say(
      `Jobs wait until a node runs: docs/operations.md says how to start one, or set MAX_CONTAINERS in ${file.path}`,
    );
  if (file.edgeUrl !== null) return [file.edgeUrl.origin];
  if (file.containers !== null && !present.has(edgeUrlName)) {
    await tellEdgeUrl(onAccount, names.worker, targets);
    say("The Worker knows its address, which its containers need");
  }
  return targets;
}

/** What `deploy` would run, without an account, and the configuration it would deploy, in a file. */
export async function planDeployment(
  root: string,
  environment: string,
): Promise<{ commands: string[]; configPath: string }> {
  const file = await readEnvironmentFile(root, environment);
  const config = deployedConfig(await readToml(root), {
    environment,
    variables: { STORAGE_ENDPOINT: "https://<account id>.r2.cloudflarestorage.com", ...file.variables },
    domain: file.edgeUrl?.host ?? null,
    containers: file.containers,
  });
  const names = resourceNames(config);
  const configPath = await writeConfig(root, environment, config);
  const given = Object.keys(file.secrets);
  return {
    configPath,
    commands: [
      "wrangler whoami --json",
      ...resourceSteps(names).flatMap(({ look, make }) => [
        `wrangler ${look.join(" ")}`,
        `  if it is missing: wrangler ${make.join(" ")}`,
      ]),
      `wrangler secret list --name ${names.worker}`,
      ...planSecrets(new Set(given), new Set()).make.map(
        (name) => `  if the Worker has no ${name}: generate one and save it in ${file.path}`,
      ),
      `wrangler d1 migrations apply ${names.database} --remote --config ${configPath}`,
      `wrangler deploy --config ${configPath} --secrets-file <${[...given, "generated ones"].join(", ")}>`,
      ...(file.containers === null || file.edgeUrl !== null
        ? []
        : [`  if it has no ${edgeUrlName}: wrangler secret bulk <its address> --name ${names.worker}`]),
    ],
  };
}

async function readToml(root: string): Promise<unknown> {
  return parseToml(await readFile(join(root, "wrangler.toml"), "utf8"));
}

/** Next to wrangler.toml, so that its relative paths work; written each time, and ignored by git. */
async function writeConfig(root: string, environment: string, config: WorkerConfig): Promise<string> {
  const path = join(root, `wrangler.${environment}.json`);
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
}

/** Names of the Worker's secrets; empty if it was never deployed. */
async function presentSecrets(wrangler: RemoteWrangler, worker: string): Promise<ReadonlySet<string>> {
  const listed = await wrangler(["secret", "list", "--name", worker], { cwd: tmpdir() });
  if (listed.ok) {
    return new Set(secretListSchema.parse(JSON.parse(listed.stdout)).map(({ name }) => name));
  }
  // Any other failure must not be mistaken for "it has none": the encryption key would be replaced.
  if (listed.output.includes(`Worker "${worker}" not found`)) return new Set();
  throw new Problem(`The Worker's secrets could not be listed:\n${listed.output}`);
}

/** Deploys secrets and code together. Returns the Worker's addresses. */
function deployWorker(
  wrangler: RemoteWrangler,
  configPath: string,
  secrets: Readonly<Record<string, string>>,
): Promise<string[]> {
  return withSecretFile(secrets, async (secretsFile, folder) => {
    const resultFile = join(folder, "result.ndjson");
    const deployed = await wrangler(["deploy", "--config", configPath, "--secrets-file", secretsFile], {
      env: { WRANGLER_OUTPUT_FILE_PATH: resultFile },
    });
    orProblem("The Worker", deployed);
    return readTargets(await readFile(resultFile, "utf8"));
  });
}

/** Nodes in containers report to this address, which is known only now; no container is woken before it is set. */
async function tellEdgeUrl(
  wrangler: RemoteWrangler,
  worker: string,
  targets: readonly string[],
): Promise<void> {
  const [url] = targets;
  if (url === undefined) {
    throw new Problem(
      `The Worker has no address under workers.dev: give it one, ${edgeUrlName}, and run this again.`,
    );
  }
  await withSecretFile({ [edgeUrlName]: url }, async (path) =>
    orProblem(
      "Telling the Worker its address",
      await wrangler(["secret", "bulk", path, "--name", worker], { cwd: tmpdir() }),
    ),
  );
}

/** Readable only by this user, and deleted afterwards: arguments are visible to everyone. */
async function withSecretFile<Result>(
  secrets: Readonly<Record<string, string>>,
  use: (path: string, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-deploy-"));
  try {
    const path = join(folder, "secrets.json");
    await writeFile(path, JSON.stringify(secrets), { mode: 0o600 });
    return await use(path, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** From wrangler's own record of what it did, a line of JSON each. */
function readTargets(lines: string): string[] {
  const records = lines.split("\n").filter((line) => line !== "");
  const found = records.map((line) => deployedSchema.safeParse(JSON.parse(line)));
  return found.flatMap(({ data }) => data?.targets ?? []).filter((target) => target.startsWith("https://"));
}

function orProblem(title: string, { ok, output }: WranglerOutcome): void {
  if (!ok) throw new Problem(`${title} failed. Wrangler's output:\n${output}`);
}

function howToGiveStorageKeys(path: string, { bucket }: ResourceNames, missing: readonly string[]): string {
  return [
    `Ferry reaches its bucket through S3, for which ${path} lacks:`,
    ...missing.map((name) => `  ${name}=`),
    `Create them in the Cloudflare dashboard under R2, API tokens: a token that may read and write objects of the bucket`,
    `${bucket} alone. Write both lines into the file and run the command again; it continues from here.`,
  ].join("\n");
}
