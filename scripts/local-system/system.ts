import { mkdir } from "node:fs/promises";
import { buildAssets } from "../build-assets.ts";
import { showProgress } from "../progress-line.ts";
import { openDatabase } from "./database.ts";
import { ensureDemoAccount } from "./demo-account.ts";
import { type EdgeRunner, onWrangler } from "./edge-runner.ts";
import { startGuard, type Guard } from "./guard-client.ts";
import { freshLogFile } from "./log-files.ts";
import { watchHealth } from "./health.ts";
import { nodeGraceMs, nodeProgram, nodeUrl } from "./node.ts";
import { requireFreePort } from "./ports.ts";
import { processorSecret } from "./secrets.ts";
import type { SystemSettings } from "./settings.ts";
import { startProgram } from "./start-program.ts";
import type { Supervised } from "./supervise.ts";

export interface LocalSystem {
  readonly url: string;
  /** Where the local bucket's files are served. */
  readonly storageUrl: string;
  readonly nodeUrl: string;
  /** The demo account's. */
  readonly apiKey: string;
  readonly edge: Supervised;
  readonly node: Supervised;
  /** Drains the node, then stops everything; nothing is left running. */
  stop(): Promise<void>;
}

const edgeGraceMs = 5000;

interface Surroundings {
  /** Aborting it while the system starts stops everything again and rejects. */
  readonly signal: AbortSignal;
  /** Called with a line for the user when a program had to be restarted. */
  readonly say: (line: string) => void;
}

/**
 * Starts edge and node on a state folder and resolves when both answer. Throws a Problem that says what is in the way.
 */
export async function startLocalSystem(
  settings: SystemSettings,
  surroundings: Surroundings,
  runner: EdgeRunner = onWrangler,
): Promise<LocalSystem> {
  await mkdir(settings.stateDir, { recursive: true });
  const guard = await startGuard(settings.stateDir);
  const running: Supervised[] = [];
  const stop = async () => {
    const [edge, node] = running;
    await node?.stop(nodeGraceMs(settings));
    await edge?.stop(edgeGraceMs);
    await guard.release();
  };
  try {
    const onStarted = (supervised: Supervised) => running.push(supervised);
    return { ...(await startPrograms(settings, runner, { ...surroundings, guard, onStarted })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPrograms(
  settings: SystemSettings,
  runner: EdgeRunner,
  around: Surroundings & { guard: Guard; onStarted: (supervised: Supervised) => void },
): Promise<Omit<LocalSystem, "stop">> {
  const { stateDir, port, processorPort, allowPrivateNetwork, passedOn } = settings;
  await requireFreePort(port, "PORT");
  await requireFreePort(processorPort, "PROCESSOR_PORT");
  await buildAssets();
  const database = openDatabase(stateDir);
  await showProgress("Preparing the database", () => database.migrate());
  const apiKey = await showProgress("Preparing the demo account", () =>
    ensureDemoAccount(settings, database),
  );

  const secret = await processorSecret(stateDir);
  const { program, url, storageUrl } = await runner.describe(
    settings,
    secret,
    await freshLogFile(stateDir, "edge"),
  );
  const health = `${url}/health`;
  const edge = await showProgress("Starting the edge", () => startProgram(program, health, around));
  void watchHealth(health, edge);

  const logFile = await freshLogFile(stateDir, "node");
  const nodeSettings = {
    port: processorPort,
    edgeUrl: url,
    secret,
    stateDir,
    allowPrivateNetwork,
    passedOn,
    logFile,
  };
  const address = nodeUrl(processorPort);
  // Until the edge has heard from the node, no show can be read.
  const node = await showProgress("Starting the processor node", () =>
    startProgram(nodeProgram(nodeSettings), `${address}/ready`, around),
  );
  return { url, storageUrl, nodeUrl: address, apiKey, edge, node };
}
