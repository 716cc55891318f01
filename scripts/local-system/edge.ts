import { join } from "node:path";
import { readSettings } from "../../edge/settings.ts";
import { Problem } from "../problem.ts";
import { localHost } from "./ports.ts";
import type { Program } from "./process-group.ts";
import { encryptionKey, previousEncryptionKey, writeEnvFile } from "./secrets.ts";
import type { SystemSettings } from "./settings.ts";
import { localStorageVariables } from "./storage.ts";
import { persistFolder, wranglerConfig, wranglerEnvironment, wranglerProgram } from "./wrangler.ts";

export const edgeUrl = (settings: SystemSettings): string => `http://${localHost}:${settings.port}`;

/**
 * The Worker's variables and secrets. `storageUrl`: the address of the local bucket. Throws a Problem for settings that
 * it would answer every request to with 500.
 */
export async function edgeVariables(
  settings: SystemSettings,
  secret: string,
  storageUrl: string,
): Promise<Record<string, string>> {
  const { stateDir } = settings;
  const previousKey = await previousEncryptionKey(stateDir);
  const variables = {
    ...settings.passedOn,
    ...localStorageVariables(storageUrl),
    PROCESSOR_SECRET: secret,
    ENCRYPTION_KEY: await encryptionKey(stateDir),
    ...(previousKey !== null && { ENCRYPTION_KEY_PREVIOUS: previousKey }),
    ALLOW_PRIVATE_NETWORK: String(settings.allowPrivateNetwork),
  };
  try {
    readSettings(variables);
  } catch (error) {
    throw new Problem(`The edge cannot start. ${error instanceof Error ? error.message : ""}`, {
      cause: error,
    });
  }
  return variables;
}

/**
 * The Worker in the real runtime, run by `wrangler dev`. Its secrets are passed in a file, since arguments are visible
 * to everyone. `storageUrl`: the address of the local bucket, which the edge itself serves. Throws a Problem for
 * settings that the edge would not work with.
 */
export async function edgeProgram(
  settings: SystemSettings,
  secret: string,
  logFile: string,
  storageUrl = edgeUrl(settings),
): Promise<Program> {
  const { stateDir, port } = settings;
  const envFile = join(stateDir, "edge.env");
  await writeEnvFile(envFile, await edgeVariables(settings, secret, storageUrl));
  return {
    name: "The edge",
    file: process.execPath,
    args: [
      ["--no-warnings", wranglerProgram, "dev", "--config", wranglerConfig, "--env-file", envFile],
      ["--local", "--ip", localHost, "--port", String(port), "--inspector-port", "0"],
      ["--persist-to", persistFolder(stateDir), "--show-interactive-dev-session=false"],
    ].flat(),
    env: wranglerEnvironment(stateDir),
    logFile,
  };
}
