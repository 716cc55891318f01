import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { edgeUrl } from "./local-system/edge.ts";
import { startGuard } from "./local-system/guard-client.ts";
import { freshLogFile } from "./local-system/log-files.ts";
import { nodeGraceMs, nodeProgram, nodeUrl } from "./local-system/node.ts";
import { withNewestDownloader } from "./local-system/newest-downloader.ts";
import { requireFreePort } from "./local-system/ports.ts";
import { processorSecret } from "./local-system/secrets.ts";
import { readSystemSettings, type SystemSettings } from "./local-system/settings.ts";
import { startProgram } from "./local-system/start-program.ts";
import { stopSignal } from "./local-system/stop-signal.ts";
import type { Supervised } from "./local-system/supervise.ts";
import { provideTools } from "./local-system/tools.ts";
import { Problem, runScript } from "./problem.ts";

const usage = `npm run processor -- --port <port>

Runs another node on this machine, for the edge at EDGE_URL (default: the local one) with its PROCESSOR_SECRET (default:
that of STATE_DIR).`;

await runScript(async () => {
  const settings = readSystemSettings({ ...process.env, PROCESSOR_PORT: readPort() });
  const signal = stopSignal();
  await provideTools();
  const program = await describeNode(await withNewestDownloader(settings, { signal, say: console.log }));
  const folder = join(settings.stateDir, `node-${settings.processorPort}`);
  await mkdir(folder, { recursive: true });
  const guard = await startGuard(folder);
  let node: Supervised | null = null;
  try {
    await requireFreePort(settings.processorPort, "--port");
    const url = nodeUrl(settings.processorPort);
    const onStarted = (started: Supervised) => (node = started);
    await startProgram(program, `${url}/ready`, { guard, signal, say: console.log, onStarted });
    console.log(`ready: node ${url}; its log is ${program.logFile}; Ctrl-C drains and stops it`);
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return 0;
  } finally {
    await (node as Supervised | null)?.stop(nodeGraceMs(settings));
    await guard.release();
  }
});

async function describeNode(settings: SystemSettings) {
  const { stateDir, processorPort, allowPrivateNetwork, passedOn } = settings;
  await mkdir(stateDir, { recursive: true });
  return nodeProgram({
    port: processorPort,
    edgeUrl: process.env["EDGE_URL"] || edgeUrl(settings),
    secret: process.env["PROCESSOR_SECRET"] || (await processorSecret(stateDir)),
    stateDir,
    allowPrivateNetwork,
    passedOn,
    logFile: await freshLogFile(stateDir, `node-${processorPort}`),
  });
}

function readPort(): string {
  const { values } = parseArgs({ options: { port: { type: "string" } }, strict: false });
  if (typeof values.port !== "string") throw new Problem(usage);
  return values.port;
}
