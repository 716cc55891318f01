import { statfs } from "node:fs/promises";

/** What is not counted needs some too: descriptions of sources, other programs. */
const usedShare = 0.9;

/** How many bytes a node may use of the disk on which its folder lies, by what is free on it. */
export async function roomOfDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.floor(bavail * bsize * usedShare);
}
