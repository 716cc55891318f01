import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOfFiles } from "../hash-of-files.ts";
import { systemErrorCode } from "../system-error.ts";

const builtFolder = fileURLToPath(new URL("../../dist/", import.meta.url));
/** Longer than any system that uses what was made from former files. */
const formerMs = 24 * 3_600_000;

/**
 * The folder that `make` fills from the repository's files that match `inputs`. It is made once for each state of these
 * files, under `dist/`. Several processes may make it at once: each fills a folder of its own, the first to finish gives
 * it its name, and one that dies halfway leaves nothing that is taken for finished.
 */
export async function madeOnce(
  name: string,
  inputs: readonly string[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const parent = join(builtFolder, name);
  const folder = join(parent, (await hashOfFiles(inputs)).slice(0, 16));
  if (await isThere(folder)) return folder;
  const making = join(parent, randomUUID());
  await mkdir(making, { recursive: true });
  try {
    await make(making);
    await rename(making, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  await removeFormer(parent);
  return folder;
}

async function removeFormer(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const { mtimeMs } = (await stat(path).catch(ignoreMissing)) ?? { mtimeMs: Date.now() };
    if (mtimeMs < Date.now() - formerMs) await rm(path, { recursive: true, force: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreMissing)) !== undefined;
}

function ignoreMissing(error: unknown): undefined {
  if (systemErrorCode(error) !== "ENOENT") throw error;
}
