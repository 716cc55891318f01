import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { endLeftoverPrograms } from "../subprocess/leftover-programs.ts";

/** Each node has its own: nodes on one machine differ in port. */
export function nodeWorkFolder(workDir: string, port: number): string {
  return join(resolve(workDir), `node-${port}`);
}

/**
 * Creates the node's folder, empty. Whatever a previous run of this node left in it is removed, and programs still
 * running there are killed. Only its owner can read it. Rejects with the system's error if the folder cannot be
 * created.
 */
export async function makeEmptyFolder(folder: string): Promise<void> {
  await endLeftoverPrograms(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Removes the node's folder and all its content. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
