import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { addAccount } from "../../../scripts/accounts/account-store.ts";
import { drawApiKey, storedKey } from "../../../scripts/accounts/new-key.ts";
import { openDatabase } from "../../../scripts/local-system/database.ts";
import { findFreePorts } from "../../../scripts/local-system/ports.ts";
import { readSystemSettings } from "../../../scripts/local-system/settings.ts";
import { startLocalSystem } from "../../../scripts/local-system/system.ts";

export interface TwoAccountSystem {
  readonly url: string;
  readonly apiKey: string;
  /** Of an account that has nothing to do with the first. */
  readonly otherApiKey: string;
  stop(): Promise<void>;
}

/** What `npm start` runs, on a fresh state and free ports, with a second account. */
export async function startTwoAccountSystem(): Promise<TwoAccountSystem> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-two-accounts-"));
  const [port, processorPort] = await findFreePorts(2);
  const stateDir = join(folder, "state");
  const settings = readSystemSettings({
    STATE_DIR: stateDir,
    PORT: String(port),
    PROCESSOR_PORT: String(processorPort),
  });
  const system = await startLocalSystem(settings, { signal: new AbortController().signal, say: () => {} });
  const stop = async () => {
    await system.stop();
    await rm(folder, { recursive: true });
  };
  try {
    const otherApiKey = drawApiKey();
    const key = await storedKey(otherApiKey);
    await addAccount(openDatabase(stateDir), { id: uuidv7(), name: "other", key, now: Date.now() });
    return { url: system.url, apiKey: system.apiKey, otherApiKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
