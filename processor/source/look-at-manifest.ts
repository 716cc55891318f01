import { parseApart } from "../parsing/parse-apart.ts";
import { fetchWhole, type Address } from "./fetch-whole.ts";
import type { Manifest } from "./manifest.ts";
import type { SourceContext } from "./source-context.ts";

export const manifestMaxBytes = 16 * 1024 * 1024;

/** The content of a manifest; null if it is too long or not one. Rejects with JobFailure, or the signal's reason. */
export async function lookAtManifest(address: Address, context: SourceContext): Promise<Manifest | null> {
  const file = await fetchWhole(address, manifestMaxBytes, context);
  return file && parseApart("manifest", file.content, context.signal);
}
