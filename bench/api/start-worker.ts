import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { convertV4MiniflareOptions, Miniflare, Response } from "miniflare";
import { unstable_getMiniflareWorkerOptions as readWorkerOptions } from "wrangler";
import { buildAssets } from "../../scripts/build-assets.ts";
import type { LocalDatabase, Row } from "../../scripts/local-system/database.ts";
import { localStorageVariables } from "../../scripts/local-system/storage.ts";
import { wranglerConfig, wranglerEnvironment, wranglerProgram } from "../../scripts/local-system/wrangler.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const migrationsFolder = at("../../drizzle");

export interface BenchedWorker {
  readonly url: string;
  /** Empty and migrated. */
  readonly database: LocalDatabase;
  /** The secret that its nodes sign with. */
  readonly processorSecret: string;
  stop(): Promise<void>;
}

const processorSecret = "a-secret-that-only-this-benchmark-knows";

/**
 * The Worker as a deployment bundles it, in workerd, without the proxies that `wrangler dev` and static assets put in
 * front of it: those would cost every handler the same, and make each ratio look better than it is.
 */
export async function startWorker(): Promise<BenchedWorker> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-bench-"));
  await buildAssets();
  await bundle(folder);
  const { assets: _, modulesRules: __, ...options } = readWorkerOptions(wranglerConfig).workerOptions;
  const worker = {
    ...options,
    name: "ferry",
    rootPath: folder,
    modules: true,
    scriptPath: "worker.js",
    serviceBindings: { ASSETS: () => new Response(null, { status: 404 }) },
    bindings: {
      ...localStorageVariables("https://storage.example"),
      PROCESSOR_SECRET: processorSecret,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      LOG_LEVEL: "error",
    },
  };
  const miniflare = new Miniflare(convertV4MiniflareOptions({ host: "127.0.0.1", port: 0, ...worker }));
  const stop = async () => {
    await miniflare.dispose();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { origin } = await miniflare.ready;
    const database = openDatabase(await miniflare.getD1Database("DB"));
    await database.migrate();
    return { url: origin, database, processorSecret, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function bundle(folder: string): Promise<void> {
  const target = ["--dry-run", "--outdir", folder, "--config", wranglerConfig];
  const deploy = ["--no-warnings", wranglerProgram, "deploy", at("worker/worker.ts"), ...target];
  await execa(process.execPath, deploy, {
    env: wranglerEnvironment(folder),
    extendEnv: false,
    stdin: "ignore",
  });
}

function openDatabase(binding: Awaited<ReturnType<Miniflare["getD1Database"]>>): LocalDatabase {
  const execute = async (statements: readonly string[]) => {
    const results = await binding.batch<Row>(statements.map((statement) => binding.prepare(statement)));
    return results.map((result) => result.results);
  };
  return {
    execute,
    async migrate() {
      await execute(await migrations());
    },
  };
}

async function migrations(): Promise<string[]> {
  const files = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql")).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(migrationsFolder, name), "utf8")));
  return texts.flatMap((text) => text.split("--> statement-breakpoint"));
}
