import type { Readable } from "node:stream";
import { namesMediaFile } from "../../contracts/media-address.ts";
import { failureOfNetworkError, SourceBusy } from "../network/network-failure.ts";
import { discard, type OpenResponse } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import { JobFailure } from "../pipeline/job.ts";
import { feedFormatOfBytes, feedLookBytes } from "../shows/feed-format.ts";
import type { Address } from "./fetch-whole.ts";
import { peek, type Peeked } from "./peek.ts";
import { isPadding, paddedBytes, sniffContainer, sniffedBytes } from "./sniff-container.ts";
import type { SourceContext } from "./source-context.ts";

/**
 * What the URL itself returns: a media file, its body unread from the first byte; a feed; or something else, with the
 * failure that the response was, if any.
 */
export type FirstLook =
  | { readonly kind: "media"; readonly response: OpenResponse }
  | { readonly kind: "feed" }
  | { readonly kind: "other"; readonly failure: JobFailure | null };

/** The downloader may overcome these at once, unless the source names a pause. */
const refusals: ReadonlySet<string> = new Set(["sign_in_required", "rate_limited"]);
/** Nothing came, or not what it claims to be. Any other failure may be meant for plain requests only. */
const finalFailures: ReadonlySet<string> = new Set(["connection_timeout", "invalid_media"]);

/** Rejects with JobFailure if it cannot be reached, asks for too long a pause, or claims to be media and is not. */
export async function lookAt(
  { url, headers }: Address,
  { network, signal, limits }: SourceContext,
): Promise<FirstLook> {
  const request = { headers, signal, silenceMs: limits.source_silence_ms };
  const retries = createRetries(signal, network.patience);
  for (;;) {
    try {
      const response = await network.open(url, request);
      const type = response.headers["content-type"];
      const { head, body } = await peekAtBeginning(response.body, type);
      if (sniffContainer(head) !== null) return { kind: "media", response: { ...response, body } };
      discard(body);
      if (["xml", "json"].includes(feedFormatOfBytes(head, type))) return { kind: "feed" };
      if (isCalledMedia(response) && !isManifest(head)) throw new JobFailure("invalid_media");
      return { kind: "other", failure: null };
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOfNetworkError(error);
      const askedMs = failure instanceof SourceBusy ? failure.waitMs : null;
      if (failure instanceof JobFailure && refusals.has(failure.code) && askedMs === null)
        return { kind: "other", failure };
      try {
        await retries.next(failure);
      } catch (last) {
        if (!(last instanceof JobFailure) || finalFailures.has(last.code)) throw last;
        if (askedMs !== null && askedMs > network.patience.askedMaxMs) throw last;
        return { kind: "other", failure: last };
      }
    }
  }
}

/** As much as tells what it is. */
async function peekAtBeginning(body: Readable, contentType: string | undefined): Promise<Peeked> {
  const peeked = await peek(body, sniffedBytes);
  const { head } = peeked;
  if (isPadding(head)) return peek(peeked.body, paddedBytes);
  const isUndecided = sniffContainer(head) === null && feedFormatOfBytes(head, contentType) === "undecided";
  return isUndecided ? peek(peeked.body, feedLookBytes) : peeked;
}

const manifestTypes = /mpegurl|dash\+xml/i;

/** By its type, or by its extension if the type says nothing. */
function isCalledMedia({ url, headers }: OpenResponse): boolean {
  const type = headers["content-type"] ?? "";
  if (manifestTypes.test(type)) return false;
  if (/^(video|audio)\//i.test(type)) return true;
  const saysNothing = type === "" || /^(application|binary)\/octet-stream/i.test(type);
  return saysNothing && namesMediaFile(url);
}

/** Manifests are often served with the type of what they list; so are web pages. */
function isManifest(head: Buffer): boolean {
  return /^\s*(#EXTM3U|<)/.test(head.toString("utf8", 0, 256).replace(/^\uFEFF/, ""));
}
