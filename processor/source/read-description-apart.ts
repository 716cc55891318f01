import { stat } from "node:fs/promises";
import { parseApart } from "../parsing/parse-apart.ts";
import type { Description } from "./read-description.ts";

/**
 * As `readDescription` of a file, without holding up the rest of the node: a long description takes seconds to read, and
 * a node that sends no heartbeats loses its jobs. While it waits for others, it is not in memory. Rejects with
 * JobFailure, or with the signal's reason.
 */
export async function readDescriptionApart(path: string, signal: AbortSignal): Promise<Description> {
  const { size } = await stat(path);
  return parseApart("description", { path, byteLength: size }, signal);
}
