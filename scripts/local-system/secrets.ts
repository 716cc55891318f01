import { randomBytes } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../system-error.ts";

/** The secret that edge and nodes of a state folder share; made at first use. */
export function processorSecret(stateDir: string): Promise<string> {
  return keepSecret(join(stateDir, "processor-secret"), () => randomBytes(32).toString("hex"));
}

/** The key that clients' secrets in the state folder's database are encrypted with, base64; made at first use. */
export function encryptionKey(stateDir: string): Promise<string> {
  return keepSecret(join(stateDir, "encryption-key"), () => randomBytes(32).toString("base64"));
}

/** The demo account's own key of a state folder; made at first use. */
export function demoApiKey(stateDir: string, make: () => string): Promise<string> {
  return keepSecret(join(stateDir, "demo-api-key"), make);
}

/** Reads a secret that only this user may read, or writes the one that `make` returns. */
async function keepSecret(path: string, make: () => string): Promise<string> {
  try {
    await writeFile(path, `${make()}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
  return (await readFile(path, "utf8")).trim();
}

/** Writes variables in the form of an env file that only this user may read, whatever was there. */
export async function writeEnvFile(path: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
  await writeFile(path, lines.join(""), { mode: 0o600 });
  await chmod(path, 0o600);
}
