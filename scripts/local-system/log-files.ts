import { mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../system-error.ts";

/** Prepares a program's log file; the previous run's is kept next to it. Returns its path. */
export async function freshLogFile(stateDir: string, name: string): Promise<string> {
  const folder = join(stateDir, "logs");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  await rename(path, `${path}.1`).catch(ignoreMissing);
  return path;
}

/** The last lines of a log, for a message. */
export async function lastLines(path: string, count: number): Promise<string> {
  const text = await readFile(path, "utf8").catch(ignoreMissing);
  return (text ?? "").trimEnd().split("\n").slice(-count).join("\n");
}

function ignoreMissing(error: unknown): undefined {
  if (systemErrorCode(error) !== "ENOENT") throw error;
}
