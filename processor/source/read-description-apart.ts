import { parseApart } from "../parsing/parse-apart.ts";
import type { Description } from "./read-description.ts";

/**
 * As `readDescription`, without holding up the rest of the node: a long description takes seconds to read, and a node
 * that sends no heartbeats loses its jobs. Rejects with JobFailure, or with the signal's reason.
 */
export function readDescriptionApart(text: string, signal: AbortSignal): Promise<Description> {
  return parseApart("description", text, signal);
}
