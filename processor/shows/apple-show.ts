import { z } from "zod";
import { isShowAddress } from "../../contracts/show-address.ts";
import { failureOfNetworkError } from "../network/network-failure.ts";
import { discard } from "../network/open-response.ts";
import { briefPatience } from "../network/patience.ts";
import { createRetries } from "../network/retries.ts";
import { peek } from "../source/peek.ts";
import type { ShowContext } from "./show-context.ts";
import { ShowFailure } from "./show-failure.ts";

interface AppleShow {
  readonly id: string;
  /** Two letters; null if the URL names no country. */
  readonly country: string | null;
}

/** The show of an Apple Podcasts page; null for any other URL. */
export function appleShow(url: string): AppleShow | null {
  if (!isShowAddress(url)) return null;
  const { pathname } = new URL(url);
  const id = /\/id(\d+)\/?$/.exec(pathname)?.[1];
  if (id === undefined) return null;
  return { id, country: /^\/([a-z]{2})\//i.exec(pathname)?.[1] ?? null };
}

const answerMaxBytes = 1024 * 1024;
const answerSchema = z.object({
  results: z.array(z.looseObject({ feedUrl: z.string().nullish().catch(null) })),
});

/**
 * Asks Apple's public lookup for the URL of a show's feed. Rejects with ShowFailure, JobFailure, or the signal's
 * reason.
 */
export async function appleFeedUrl({ id, country }: AppleShow, context: ShowContext): Promise<string> {
  const { network, signal, silenceMs, appleLookupUrl } = context;
  const lookup = new URL(appleLookupUrl);
  lookup.searchParams.set("id", id);
  lookup.searchParams.set("entity", "podcast");
  if (country !== null) lookup.searchParams.set("country", country);
  const retries = createRetries(signal, briefPatience);
  for (;;) {
    try {
      const response = await network.open(lookup.href, { signal, silenceMs });
      const { head, body } = await peek(response.body, answerMaxBytes);
      discard(body);
      return feedUrlOf(head.toString());
    } catch (error) {
      signal.throwIfAborted();
      await retries.next(failureOfNetworkError(error));
    }
  }
}

function feedUrlOf(answer: string): string {
  const parsed = answerSchema.safeParse(parseJson(answer));
  const feedUrl = parsed.data?.results.find((result) => result.feedUrl)?.feedUrl;
  if (!feedUrl) throw new ShowFailure("unreadable", "Apple's lookup names no feed for the show");
  return feedUrl;
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
