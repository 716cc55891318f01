import { fetchWhole, type Address } from "./fetch-whole.ts";
import { readManifest, type Manifest } from "./manifest.ts";
import type { SourceContext } from "./source-context.ts";

export const manifestMaxBytes = 16 * 1024 * 1024;

/** What a manifest says; null for one that is too long or is none. Rejects with JobFailure, or the signal's reason. */
export async function lookAtManifest(address: Address, context: SourceContext): Promise<Manifest | null> {
  const file = await fetchWhole(address, manifestMaxBytes, context);
  return file === null ? null : readManifest(file.content.toString());
}
