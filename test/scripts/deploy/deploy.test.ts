import { appendFile, copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deploy, planDeployment } from "../../../scripts/deploy/deploy.ts";
import {
  remoteWrangler,
  type RemoteWrangler,
  type WranglerOutcome,
} from "../../../scripts/deploy/remote-wrangler.ts";
import { type AccountModel, emptyAccount, runOnAccount } from "../../programs/account-model.ts";
import { repositoryRoot } from "../../repository/repository.ts";

const storageKeys = "STORAGE_ACCESS_KEY_ID=key-id\nSTORAGE_SECRET_ACCESS_KEY=key-secret\n";
const ignore = (): void => undefined;
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ferry-deploy-test-"));
  await copyFile(join(repositoryRoot, "wrangler.toml"), join(root, "wrangler.toml"));
});
afterEach(() => rm(root, { recursive: true }));

const environmentFile = (environment: string): string => join(root, `deploy.${environment}.env`);

/** Dies at the command of this index, `before` or `after` its effect. */
interface Death {
  readonly at: number;
  readonly when: "before" | "after";
}

function wranglerOn(account: AccountModel, death?: Death): RemoteWrangler {
  let index = 0;
  return async (args, options) => {
    const due = death?.at === index ? death : null;
    index += 1;
    if (due?.when === "before") throw new Error("killed");
    const outcome = attempt(account, args, options?.env?.["WRANGLER_OUTPUT_FILE_PATH"] ?? "");
    if (due?.when === "after") throw new Error("killed");
    return outcome;
  };
}

function attempt(account: AccountModel, args: readonly string[], outputPath: string): WranglerOutcome {
  try {
    const stdout = runOnAccount(account, args, outputPath);
    return { ok: true, stdout, output: stdout };
  } catch (error) {
    return { ok: false, stdout: "", output: error instanceof Error ? error.message : String(error) };
  }
}

async function deployTo(account: AccountModel, environment = "production", death?: Death): Promise<string[]> {
  return deploy({ environment, root, wrangler: wranglerOn(account, death), say: ignore });
}

test("an empty account gets all resources through the program, with no secret in an argument", async () => {
  await writeFile(environmentFile("production"), storageKeys);
  const accountFile = join(root, "account.json");
  await writeFile(accountFile, JSON.stringify(emptyAccount()));
  const program = remoteWrangler(fileURLToPath(new URL("../../programs/wrangler.ts", import.meta.url)));
  const wrangler: RemoteWrangler = (args, options) =>
    program(args, { ...options, env: { ...options?.env, HOME: root } });

  const targets = await deploy({ environment: "production", root, wrangler, say: ignore });

  expect(targets).toEqual(["https://ferry.acme.workers.dev"]);
  const account: AccountModel = JSON.parse(await readFile(accountFile, "utf8"));
  expect(account).toMatchObject({
    databases: ["ferry"],
    queues: ["ferry-jobs", "ferry-jobs-dead", "ferry-webhooks", "ferry-webhooks-dead"],
    buckets: { "ferry-media": ["ferry-abort-uploads 1"] },
    migrated: ["ferry"],
  });
  const secrets = account.workers["ferry"] ?? {};
  expect(secrets).toEqual(parseEnv(await readFile(environmentFile("production"), "utf8")));
  expect(Object.keys(secrets)).toHaveLength(4);
  expect((await stat(environmentFile("production"))).mode & 0o777).toBe(0o600);
  for (const secret of Object.values(secrets)) {
    expect(account.commands.filter((command) => command.includes(secret))).toEqual([]);
  }
});

test("a second deployment creates nothing and keeps the secrets", async () => {
  await writeFile(environmentFile("production"), storageKeys);
  const account = emptyAccount();
  await deployTo(account);
  const before = structuredClone(account.workers);
  account.commands = [];
  await deployTo(account);
  expect(account.commands.filter((command) => /create|lifecycle add/.test(command))).toEqual([]);
  expect(account.workers).toEqual(before);
});

test("a deployment killed before or after any command is completed by the next one", async () => {
  await writeFile(environmentFile("production"), storageKeys);
  const whole = emptyAccount();
  await deployTo(whole);
  expect(whole.commands.length).toBeGreaterThan(10);
  for (const [at] of whole.commands.entries()) {
    for (const when of ["before", "after"] as const) {
      await writeFile(environmentFile("production"), storageKeys);
      const account = emptyAccount();
      await expect(deployTo(account, "production", { at, when })).rejects.toThrow("killed");
      await deployTo(account);
      const kept = parseEnv(await readFile(environmentFile("production"), "utf8"));
      expect(account.workers, `${when} command ${at}`).toEqual({ ferry: kept });
      expect({ ...account, commands: [], migrated: [], workers: {} }).toEqual({
        ...whole,
        commands: [],
        migrated: [],
        workers: {},
      });
    }
  }
});

test("without the environment's file on the machine, the Worker's secrets stay unchanged", async () => {
  await writeFile(environmentFile("production"), storageKeys);
  const account = emptyAccount();
  await deployTo(account);
  const before = structuredClone(account.workers);
  await rm(environmentFile("production"));
  await deployTo(account);
  expect(account.workers).toEqual(before);
});

test("secrets that cannot be listed stop the deployment before any is replaced", async () => {
  await writeFile(environmentFile("production"), storageKeys);
  const account = emptyAccount();
  const wrangler = wranglerOn(account);
  const broken: RemoteWrangler = async (args, options) =>
    args[0] === "secret" ? { ok: false, stdout: "", output: "fetch failed" } : wrangler(args, options);
  await expect(deploy({ environment: "production", root, wrangler: broken, say: ignore })).rejects.toThrow(
    "The Worker's secrets could not be listed",
  );
  expect(await readFile(environmentFile("production"), "utf8")).toBe(storageKeys);
  expect(account.workers).toEqual({});
});

test("without keys for the bucket it says where to create them, and continues from there", async () => {
  const account = emptyAccount();
  await expect(deployTo(account)).rejects.toThrow(/STORAGE_ACCESS_KEY_ID=[\s\S]*bucket\nferry-media alone/);
  expect(account.buckets).toHaveProperty("ferry-media");
  await writeFile(environmentFile("production"), storageKeys);
  await deployTo(account);
  expect(account.workers).toHaveProperty("ferry");
});

test("two environments in one account share nothing", async () => {
  const account = emptyAccount();
  for (const environment of ["production", "staging"]) {
    await writeFile(environmentFile(environment), storageKeys);
    await deployTo(account, environment);
  }
  expect(account.databases).toEqual(["ferry", "ferry-staging"]);
  expect(Object.keys(account.buckets)).toEqual(["ferry-media", "ferry-staging-media"]);
  expect(account.queues).toHaveLength(8);
  expect(account.workers["ferry"]?.["ENCRYPTION_KEY"]).not.toBe(
    account.workers["ferry-staging"]?.["ENCRYPTION_KEY"],
  );
});

test("a deployment with containers gives the Worker its address, even after being killed", async () => {
  const whole = emptyAccount();
  await writeFile(environmentFile("production"), `${storageKeys}MAX_CONTAINERS=3\n`);
  await deployTo(whole);
  expect(whole.workers["ferry"]).toMatchObject({ EDGE_URL: "https://ferry.acme.workers.dev" });
  const account = emptyAccount();
  const at = whole.commands.length - 1;
  await expect(deployTo(account, "production", { at, when: "before" })).rejects.toThrow("killed");
  expect(account.workers["ferry"]).not.toHaveProperty("EDGE_URL");
  await deployTo(account);
  expect(account.workers).toEqual(whole.workers);
});

test("a deployment without containers says that jobs need a node, and one with containers does not", async () => {
  const lines: string[] = [];
  const account = emptyAccount();
  const say = (line: string) => void lines.push(line);
  await writeFile(environmentFile("production"), storageKeys);
  await deploy({ environment: "production", root, wrangler: wranglerOn(account), say });
  expect(lines.at(-1)).toMatch(
    /^Jobs wait until a node runs: .*MAX_CONTAINERS in .*deploy\.production\.env$/,
  );
  lines.length = 0;
  await appendFile(environmentFile("production"), "MAX_CONTAINERS=3\n");
  await deploy({ environment: "production", root, wrangler: wranglerOn(account), say });
  expect(lines.join("\n")).not.toContain("Jobs wait");
});

test("the plan lists every command of a deployment to an empty account", async () => {
  await writeFile(environmentFile("staging"), storageKeys);
  const { commands } = await planDeployment(root, "staging");
  const account = emptyAccount();
  await deployTo(account, "staging");
  const plan = commands.join("\n");
  const withoutFiles = account.commands.map((command) => command.replace(/ --secrets-file .*/, ""));
  expect(withoutFiles.filter((command) => !plan.includes(`wrangler ${command}`))).toEqual([]);
  expect(plan).not.toContain("key-secret");
});

test.for([
  ["MAX_JOB_TIME=1", "has settings that do not exist: MAX_JOB_TIME"],
  ["MAX_JOB_TIME_MS=soon", "MAX_JOB_TIME_MS"],
  ["ENCRYPTION_KEY=short", "ENCRYPTION_KEY"],
  ["EDGE_URL=http://ferry.example.com", "EDGE_URL must be https"],
])("%s in the file is rejected before anything is created", async ([line, message]) => {
  await writeFile(environmentFile("production"), `${storageKeys}${line}\n`);
  const account = emptyAccount();
  await expect(deployTo(account)).rejects.toThrow(message);
  expect(account.commands).toEqual([]);
});
