import { failureOfNetworkError } from "../network/network-failure.ts";
import { discard } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import { peek } from "./peek.ts";
import type { SourceContext } from "./source-context.ts";

/** Where something is, and the headers to request it with. */
export interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WholeFile {
  /** After redirects. */
  readonly url: string;
  readonly content: Buffer;
}

/**
 * Fetches something small into memory, such as a manifest or a key; null if it has `maxBytes` or more. Rejects with
 * JobFailure, or with the signal's reason.
 */
export async function fetchWhole(
  { url, headers }: Address,
  maxBytes: number,
  { network, signal, limits }: Pick<SourceContext, "network" | "signal" | "limits">,
): Promise<WholeFile | null> {
  const retries = createRetries(signal, network.patience);
  for (;;) {
    try {
      const response = await network.open(url, { headers, signal, silenceMs: limits.source_silence_ms });
      const { head, body } = await peek(response.body, maxBytes);
      discard(body);
      return head.length < maxBytes ? { url: response.url, content: head } : null;
    } catch (error) {
      signal.throwIfAborted();
      await retries.next(failureOfNetworkError(error));
    }
  }
}
