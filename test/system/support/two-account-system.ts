import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { repositoryRoot } from "../../repository/repository.ts";
import { freePorts, startSystem } from "./running-system.ts";

export interface TwoAccountSystem {
  readonly url: string;
  readonly apiKey: string;
  /** Of an account that has nothing to do with the first. */
  readonly otherApiKey: string;
  stop(): Promise<void>;
}

const createdSchema = z.object({ api_key: z.string() });

/** `npm start` with fresh state and free ports, plus a second account. */
export async function startTwoAccountSystem(): Promise<TwoAccountSystem> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-two-accounts-"));
  const stateDir = join(folder, "state");
  const system = await startSystem(stateDir, await freePorts());
  const stop = async () => {
    await system.end("SIGINT");
    await rm(folder, { recursive: true });
  };
  try {
    const account = ["run", "--silent", "account", "--", "create", "other", "--json"];
    const { stdout } = await execa("npm", account, { cwd: repositoryRoot, env: { STATE_DIR: stateDir } });
    const { api_key: otherApiKey } = createdSchema.parse(JSON.parse(stdout));
    return { url: system.url, apiKey: system.apiKey, otherApiKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
