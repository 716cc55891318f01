import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** The bytes of the files in a folder, those of its folders left out. */
export async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
