import { failureOfNetworkError } from "../network/network-failure.ts";
import { discard } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import { readManifest, type Manifest } from "./manifest.ts";
import { peek } from "./peek.ts";
import type { SourceContext } from "./source-context.ts";

/** Where a manifest is, and what it is asked for with. */
export interface ManifestAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const manifestMaxBytes = 16 * 1024 * 1024;

/** What a manifest says; null for one that is too long or is none. Rejects with JobFailure, or the signal's reason. */
export async function lookAtManifest(
  { url, headers }: ManifestAddress,
  { network, signal, limits }: SourceContext,
): Promise<Manifest | null> {
  const retries = createRetries(signal);
  for (;;) {
    try {
      const response = await network.open(url, { headers, signal, silenceMs: limits.source_silence_ms });
      const { head, body } = await peek(response.body, manifestMaxBytes);
      discard(body);
      return head.length < manifestMaxBytes ? readManifest(head.toString()) : null;
    } catch (error) {
      signal.throwIfAborted();
      await retries.next(failureOfNetworkError(error));
    }
  }
}
