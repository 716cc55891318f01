import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { v7 as uuidv7 } from "uuid";
import { addAccount } from "../../../scripts/accounts/account-store.ts";
import { drawApiKey, storedKey } from "../../../scripts/accounts/new-key.ts";
import { openDatabase } from "../../../scripts/local-system/database.ts";
import { onMiniflare } from "../../../scripts/local-system/miniflare-edge.ts";
import { findFreePorts } from "../../../scripts/local-system/ports.ts";
import { readSystemSettings } from "../../../scripts/local-system/settings.ts";
import { type LocalSystem, startLocalSystem } from "../../../scripts/local-system/system.ts";
import { watchForLeaks } from "./leaks.ts";

// Programs that are started often are compiled once; given to everything that this process starts.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../../../dist/compile-cache", import.meta.url));

export interface TestSystem extends LocalSystem {
  readonly stateDir: string;
  /** Stops everything and removes the state. Rejects if a secret has leaked. */
  stop(): Promise<void>;
}

/**
 * The whole system on fresh state and free ports: edge and node are what `npm start` runs, but the edge's runtime has
 * none of the development server around it. `variables` are settings of edge and node.
 */
export async function startTestSystem(variables: Readonly<Record<string, string>> = {}): Promise<TestSystem> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-system-"));
  const stateDir = join(folder, "state");
  const [port, processorPort] = await findFreePorts(2);
  const settings = readSystemSettings({
    // The most verbose level, so that the search for leaked secrets covers everything.
    LOG_LEVEL: "debug",
    // Tests need no internet.
    YT_DLP_PATH: process.env["YT_DLP_PATH"] || "yt-dlp",
    // A source that always fails is waited for until this is over.
    PATIENCE_SECONDS: "3",
    ...variables,
    STATE_DIR: stateDir,
    PORT: String(port),
    PROCESSOR_PORT: String(processorPort),
  });
  const around = { signal: new AbortController().signal, say: () => {} };
  const system = await startLocalSystem(settings, around, onMiniflare);
  const leaks = watchForLeaks(stateDir, () => [system.edge.pid(), system.node.pid()]);
  return {
    ...system,
    stateDir,
    async stop() {
      await system.stop();
      await leaks.finish();
      await rm(folder, { recursive: true });
    },
  };
}

/** Adds an account to a running system and returns its key. */
export async function createAccount({ stateDir }: { stateDir: string }, name: string): Promise<string> {
  const apiKey = drawApiKey();
  const key = await storedKey(apiKey);
  await addAccount(openDatabase(stateDir), { id: uuidv7(), name, key, now: Date.now() });
  return apiKey;
}
