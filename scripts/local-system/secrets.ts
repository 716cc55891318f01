import { randomBytes } from "node:crypto";
import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere } from "../read-if-there.ts";
import { systemErrorCode } from "../system-error.ts";

const encryptionKeyFile = "encryption-key";
const previousKeyFile = "encryption-key-previous";
const drawEncryptionKey = () => randomBytes(32).toString("base64");

/** The secret that edge and nodes of a state folder share; made at first use. */
export function processorSecret(stateDir: string): Promise<string> {
  return keepSecret(join(stateDir, "processor-secret"), () => randomBytes(32).toString("hex"));
}

/** The key that clients' secrets in the state folder's database are encrypted with, base64; made at first use. */
export function encryptionKey(stateDir: string): Promise<string> {
  return keepSecret(join(stateDir, encryptionKeyFile), drawEncryptionKey);
}

/** The key before it, base64, while a rotation is under way; else null. */
export async function previousEncryptionKey(stateDir: string): Promise<string | null> {
  return (await readIfThere(join(stateDir, previousKeyFile)))?.toString().trim() ?? null;
}

/**
 * Gives the state folder a new key and keeps the one before it. Takes up a rotation that is under way, whatever it died
 * at: the former key is kept before the new one takes its place, and both are one until then. Not while the system runs.
 */
export async function beginKeyRotation(stateDir: string): Promise<void> {
  const current = await encryptionKey(stateDir);
  const previous = await keepSecret(join(stateDir, previousKeyFile), () => current);
  if (previous !== current) return;
  const drawn = join(stateDir, `${encryptionKeyFile}-drawn`);
  await rm(drawn, { force: true });
  await keepSecret(drawn, drawEncryptionKey);
  await rename(drawn, join(stateDir, encryptionKeyFile));
}

/** Ends a rotation: nothing is encrypted with the former key any more. */
export async function endKeyRotation(stateDir: string): Promise<void> {
  await rm(join(stateDir, previousKeyFile));
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
