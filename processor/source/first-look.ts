import { namesMediaFile } from "../../contracts/media-address.ts";
import { failureOfNetworkError, SourceBusy } from "../network/network-failure.ts";
import { discard, type OpenResponse } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import type { FailureCode } from "../../contracts/failure.ts";
import { JobFailure } from "../pipeline/job.ts";
import { peek, type Peeked } from "./peek.ts";
import { isPadding, paddedBytes, sniffContainer, sniffedBytes } from "./sniff-container.ts";
import type { SourceContext } from "./source-context.ts";

/**
 * What the URL itself returns: a media file, its body unread from the first byte; or something else, with the failure
 * that the response was, if any.
 */
export type FirstLook =
  | { readonly kind: "media"; readonly response: OpenResponse }
  | { readonly kind: "other"; readonly failure: JobFailure | null };

/** Refusals of a plain request that the downloader, which knows sites, may overcome: the latter once it has lasted. */
const signIn = "sign_in_required";
const rateLimited = "rate_limited";

/** Rejects with JobFailure if it does not exist, cannot be reached, or claims to be media and is not. */
export async function lookAt(url: string, { network, signal, limits }: SourceContext): Promise<FirstLook> {
  const request = { signal, silenceMs: limits.source_silence_ms };
  const retries = createRetries(signal, network.patience);
  for (;;) {
    try {
      const response = await network.open(url, request);
      const { head, body } = await peekAtBeginning(response);
      if (sniffContainer(head) !== null) return { kind: "media", response: { ...response, body } };
      discard(body);
      if (isCalledMedia(response) && !isManifest(head)) throw new JobFailure("invalid_media");
      return { kind: "other", failure: null };
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOfNetworkError(error);
      if (isOf(signIn, failure)) return { kind: "other", failure };
      const hasAsked = failure instanceof SourceBusy && failure.waitMs !== null;
      try {
        await retries.next(failure);
      } catch (lasting) {
        if (lasting === failure && isOf(rateLimited, failure) && !hasAsked) return { kind: "other", failure };
        throw lasting;
      }
    }
  }
}

function isOf(code: FailureCode, failure: unknown): failure is JobFailure {
  return failure instanceof JobFailure && failure.code === code;
}

/** As much as tells what it is. */
async function peekAtBeginning({ body }: OpenResponse): Promise<Peeked> {
  const peeked = await peek(body, sniffedBytes);
  return isPadding(peeked.head) ? peek(peeked.body, paddedBytes) : peeked;
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
