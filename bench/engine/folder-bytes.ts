import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Total size of the files in a folder, without subfolders. */
export async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
