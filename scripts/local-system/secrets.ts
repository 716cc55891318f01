import { randomBytes } from "node:crypto";
import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere } from "../read-if-there.ts";
import { systemErrorCode } from "../system-error.ts";

const encryptionKeyFile = "encryption-key";
const previousKeyFile = "encryption-key-previous";
const drawEncryptionKey = () => randomBytes(32).toString("base64");

/** The secret shared by edge and nodes of a state folder; generated on first use. */
export function processorSecret(stateDir: string): Promise<string> {
  return keepSecret(join(stateDir, "processor-secret"), () => randomBytes(32).toString("hex"));
}

/** The key that encrypts clients' secrets in the state folder's database, base64; generated on first use. */
export function encryptionKey(stateDir: string): Promise<string> {
  return keepSecret(join(stateDir, encryptionKeyFile), drawEncryptionKey);
}

/** The previous key, base64, during a rotation; otherwise null. */
export async function previousEncryptionKey(stateDir: string): Promise<string | null> {
  return (await readIfThere(join(stateDir, previousKeyFile)))?.toString().trim() ?? null;
}

/**
 * Gives the state folder a new key and keeps the previous one. Resumes an interrupted rotation, wherever it died: the
 * previous key is saved before the new one replaces it, and until then both are the same. Not while the system is
 * running.
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

/** Ends a rotation: nothing is encrypted with the previous key any more. */
export async function endKeyRotation(stateDir: string): Promise<void> {
  await rm(join(stateDir, previousKeyFile));
}

/** A state folder's own key for the demo account; generated on first use. */
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

/** Writes variables as an env file that only this user may read, replacing any existing one. */
export async function writeEnvFile(path: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
  await writePrivateFile(path, lines.join(""));
}

/** Writes a file that only this user may read, replacing any existing one. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}
