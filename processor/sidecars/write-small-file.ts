import { writeFile } from "node:fs/promises";
import type { SidecarContext } from "./sidecar-context.ts";

/** Writes a file into the job's folder, once there is disk space for it; returns its size. Rejects like `take`. */
export async function writeSmallFile(
  path: string,
  content: string | Buffer,
  { disk, signal }: Pick<SidecarContext, "disk" | "signal">,
): Promise<number> {
  const bytes = Buffer.byteLength(content);
  await disk.take(bytes, signal);
  await writeFile(path, content);
  return bytes;
}
