import { statfs } from "node:fs/promises";

/** Files that are not counted need space too: source descriptions, other programs' files. */
const usedShare = 0.9;

/** How many bytes a node may use on the disk that holds this folder, based on what is free now. */
export async function roomOfDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.floor(bavail * bsize * usedShare);
}
