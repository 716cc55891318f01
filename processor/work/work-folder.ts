import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { endLeftoverPrograms } from "../subprocess/leftover-programs.ts";

/** Belongs to one node alone: nodes of one machine differ in port. */
export function nodeWorkFolder(workDir: string, port: number): string {
  return join(resolve(workDir), `node-${port}`);
}

/**
 * Makes the node's folder, empty: what a former life of this node left in it goes, programs that still work there
 * included. Only its owner may read it.
 * Rejects with the system's error when the folder cannot be made.
 */
export async function makeEmptyFolder(folder: string): Promise<void> {
  await endLeftoverPrograms(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Removes the node's folder with everything in it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
