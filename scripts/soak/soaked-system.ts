import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildAssets } from "../build-assets.ts";
import { openDatabase } from "../local-system/database.ts";
import { ensureDemoAccount } from "../local-system/demo-account.ts";
import { edgeProgram, edgeUrl } from "../local-system/edge.ts";
import { startGuard } from "../local-system/guard-client.ts";
import { freshLogFile } from "../local-system/log-files.ts";
import { nodeProgram, nodeUrl } from "../local-system/node.ts";
import { findFreePorts } from "../local-system/ports.ts";
import { processorSecret } from "../local-system/secrets.ts";
import { readSystemSettings, type SystemSettings } from "../local-system/settings.ts";
import { startProgram } from "../local-system/start-program.ts";
import type { Supervised } from "../local-system/supervise.ts";
import { startStorageServer, type StorageServer } from "../storage/storage-server.ts";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.ts";
import type { Luck } from "./luck.ts";
import { unfinishedMin } from "./soaked-jobs.ts";

/** A local system whose nodes reach edge and storage through proxies that lose and duplicate messages. */
export interface SoakedSystem {
  readonly url: string;
  readonly apiKey: string;
  readonly settings: SystemSettings;
  readonly storage: StorageServer;
  readonly edge: Supervised;
  readonly nodes: readonly Supervised[];
  readonly edgeLog: string;
  /** One per node, in the order of the work folders. */
  readonly nodeLogs: readonly string[];
  readonly workFolders: readonly string[];
  readonly proxies: readonly FaultProxy[];
  stop(): Promise<void>;
}

const graceMs = 20_000;

/** Starts an edge and two nodes on a state folder. `onFault` is called for each message that a proxy disturbs. */
export async function startSoakedSystem(
  stateDir: string,
  { signal, luck, onFault }: { signal: AbortSignal; luck: Luck; onFault: (fault: string) => void },
): Promise<SoakedSystem> {
  const [port, ...nodePorts] = await findFreePorts(3);
  const settings = readSystemSettings({
    PORT: String(port),
    PROCESSOR_PORT: String(nodePorts[0]),
    STATE_DIR: stateDir,
    PROCESSOR_SLOTS: String(unfinishedMin),
  });
  await mkdir(stateDir, { recursive: true });
  const guard = await startGuard(stateDir);
  const running: Supervised[] = [];
  const url = edgeUrl(settings);
  const storage = await startStorageServer(join(stateDir, "storage"));
  const callbacks = await startFaultProxy(url, luck, (fault) => onFault(`message ${fault}`));
  const uploads = await startFaultProxy(storage.url, luck, (fault) => onFault(`storage ${fault}`));
  const proxies = [callbacks, uploads];
  const stop = async () => {
    await Promise.all(running.map((program) => program.stop(graceMs)));
    await Promise.all([...proxies, storage].map((server) => server.close()));
    await guard.release();
  };
  const say = () => undefined;
  const onStarted = (program: Supervised) => running.push(program);
  const around = { guard, signal, say, onStarted };
  try {
    await buildAssets();
    const database = openDatabase(stateDir);
    await database.migrate();
    const apiKey = await ensureDemoAccount(settings, database);
    const secret = await processorSecret(stateDir);
    const edgeLog = await freshLogFile(stateDir, "edge");
    const edge = await startProgram(
      await edgeProgram(settings, secret, edgeLog, uploads.url),
      `${url}/health`,
      around,
    );
    const nodes: Supervised[] = [];
    const nodeLogs: string[] = [];
    const workFolders: string[] = [];
    for (const nodePort of nodePorts) {
      const logFile = await freshLogFile(stateDir, `node-${nodePort}`);
      nodeLogs.push(logFile);
      const program = nodeProgram({
        port: nodePort,
        edgeUrl: callbacks.url,
        secret,
        stateDir: join(stateDir, `node-${nodePort}`),
        allowPrivateNetwork: true,
        passedOn: settings.passedOn,
        logFile,
      });
      workFolders.push(program.workFolder);
      nodes.push(await startProgram(program, `${nodeUrl(nodePort)}/ready`, around));
    }
    return { url, apiKey, settings, storage, edge, nodes, edgeLog, nodeLogs, workFolders, proxies, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
