import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultDrainGraceMs } from "../../processor/config.ts";
import { nodeWorkFolder } from "../../processor/work/work-folder.ts";
import { inheritedEnvironment } from "./inherited-environment.ts";
import { localHost } from "./ports.ts";
import type { Program } from "./process-group.ts";

export interface NodeSettings {
  readonly port: number;
  readonly edgeUrl: string;
  readonly secret: string;
  readonly stateDir: string;
  readonly allowPrivateNetwork: boolean;
  readonly passedOn: Readonly<Record<string, string>>;
  readonly logFile: string;
}

const main = fileURLToPath(new URL("../../processor/main.ts", import.meta.url));

/** Longer than a node takes to end programs and to tell the edge, once its jobs have had their time. */
const nodeEndMs = 15_000;

/** Longer than a node takes to drain. */
export function nodeGraceMs({ passedOn }: Pick<NodeSettings, "passedOn">): number {
  return Number(passedOn["DRAIN_GRACE_MS"] ?? defaultDrainGraceMs) + nodeEndMs;
}

export const nodeUrl = (port: number): string => `http://${localHost}:${port}`;

/** A processor node on this machine. */
export function nodeProgram(settings: NodeSettings): Program & { readonly workFolder: string } {
  const workDir = resolve(settings.stateDir, "work");
  return {
    name: "The processor node",
    file: process.execPath,
    args: [main],
    env: {
      ...inheritedEnvironment(),
      ...settings.passedOn,
      EDGE_URL: settings.edgeUrl,
      PROCESSOR_SECRET: settings.secret,
      HOST: localHost,
      PORT: String(settings.port),
      WORK_DIR: workDir,
      ALLOW_PRIVATE_NETWORK: String(settings.allowPrivateNetwork),
    },
    logFile: settings.logFile,
    workFolder: nodeWorkFolder(workDir, settings.port),
  };
}
