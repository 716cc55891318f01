import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildAssets } from "../../scripts/build-assets.ts";
import { type Database, openDatabase } from "../../scripts/local-system/database.ts";
import { runWorker } from "../../scripts/local-system/miniflare.ts";
import { localStorageVariables } from "../../scripts/local-system/storage.ts";
import { bundledWorker } from "../../scripts/local-system/worker-bundle.ts";
import { persistFolder } from "../../scripts/local-system/wrangler.ts";

const worker = fileURLToPath(new URL("worker/worker.ts", import.meta.url));

export interface BenchedWorker {
  readonly url: string;
  /** Empty and migrated. */
  readonly database: Database;
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
  const database = openDatabase(folder);
  await database.migrate();
  await buildAssets();
  const running = await runWorker(await bundledWorker(worker), {
    port: 0,
    entryPort: 0,
    variables: {
      ...localStorageVariables("https://storage.example"),
      PROCESSOR_SECRET: processorSecret,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      LOG_LEVEL: "error",
    },
    persistFolder: persistFolder(folder),
    withAssets: false,
    onLog: console.log,
  });
  return {
    url: running.entryUrl,
    database,
    processorSecret,
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
