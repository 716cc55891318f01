import { mkdir } from "node:fs/promises";
import { buildAssets } from "../build-assets.ts";
import { showProgress } from "../progress-line.ts";
import { openDatabase } from "./database.ts";
import { ensureDemoAccount } from "./demo-account.ts";
import { edgeProgram, edgeUrl } from "./edge.ts";
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
  readonly nodeUrl: string;
  /** The demo account's. */
  readonly apiKey: string;
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
    return { ...(await startPrograms(settings, { ...surroundings, guard, onStarted })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPrograms(
  settings: SystemSettings,
  around: Surroundings & { guard: Guard; onStarted: (supervised: Supervised) => void },
): Promise<Pick<LocalSystem, "url" | "nodeUrl" | "apiKey">> {
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
  const url = edgeUrl(settings);
  const edge = await edgeProgram(settings, secret, await freshLogFile(stateDir, "edge"));
  const health = `${url}/health`;
  void watchHealth(health, await showProgress("Starting the edge", () => startProgram(edge, health, around)));

  const logFile = await freshLogFile(stateDir, "node");
  const node = {
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
  await showProgress("Starting the processor node", () =>
    startProgram(nodeProgram(node), `${address}/ready`, around),
  );
  return { url, nodeUrl: address, apiKey };
}
