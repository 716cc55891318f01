import { failureOfNetworkError } from "../network/network-failure.ts";
import { createRetries } from "../network/retries.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { FeedEvent } from "./feed.ts";
import { createJsonFeed } from "./json-feed.ts";
import { openFeed, type OpenFeed } from "./open-feed.ts";
import type { ShowContext } from "./show-context.ts";
import { ShowFailure } from "./show-failure.ts";
import { createXmlFeed } from "./xml-feed.ts";

const pagesMax = 1000;

/** What a feed says of its show. */
export type ShowPart = Exclude<FeedEvent, { kind: "next" }>;

/**
 * Reads a feed and the pages it goes on with, piece by piece. `opened`: its first look, if there was one; `maxBytes`: of
 * all pages together, unpacked. A page
 * that breaks off is read again from its beginning, so items may come twice. Rejects with ShowFailure, JobFailure,
 * or the signal's reason.
 */
export async function* readFeed(
  url: string,
  { opened, maxBytes }: { opened: OpenFeed | null; maxBytes: number },
  context: ShowContext,
): AsyncGenerator<ShowPart[]> {
  const visited = new Set<string>();
  const budget = { bytesLeft: maxBytes };
  let page: OpenFeed | null = opened;
  let next: string | null = url;
  while (next !== null && !visited.has(next)) {
    if (visited.size === pagesMax) throw new ShowFailure("too_large", "the feed has too many pages");
    const address: string = next;
    visited.add(address);
    next = null;
    try {
      for await (const events of readPage(address, page, budget, context)) {
        next = events.find((event) => event.kind === "next")?.url ?? next;
        yield events.filter((event): event is ShowPart => event.kind !== "next");
      }
    } catch (error) {
      if (visited.size === 1 || !isMissing(error)) throw error;
      context.log.warn({ page: visited.size }, "a feed names a further page that is not there");
    }
    page = null;
  }
}

/** A page that is gone or was never one ends the feed, as it does for podcast apps. */
function isMissing(error: unknown): boolean {
  if (error instanceof JobFailure) return ["video_unavailable", "unsupported_url"].includes(error.code);
  return error instanceof ShowFailure && error.code === "unreadable";
}

interface Budget {
  bytesLeft: number;
}

async function* readPage(
  url: string,
  opened: OpenFeed | null,
  budget: Budget,
  context: ShowContext,
): AsyncGenerator<FeedEvent[]> {
  const retries = createRetries(context.signal);
  const { bytesLeft } = budget;
  let feed = opened;
  for (;;) {
    try {
      feed ??= await openFeed(url, context);
      if (feed === null) throw new ShowFailure("unreadable", "there is no feed at the address");
      yield* readText(feed, budget);
      return;
    } catch (error) {
      context.signal.throwIfAborted();
      await retries.next(failureOfNetworkError(error));
      budget.bytesLeft = bytesLeft;
      feed = null;
    }
  }
}

async function* readText(feed: OpenFeed, budget: Budget): AsyncGenerator<FeedEvent[]> {
  let events: FeedEvent[] = [{ kind: "address", url: feed.url }];
  const emit = (event: FeedEvent) => void events.push(event);
  const taken = () => {
    const found = events;
    events = [];
    return found;
  };
  const reader = feed.format === "json" ? createJsonFeed(feed.url, emit) : createXmlFeed(feed.url, emit);
  const decoder = new TextDecoder(feed.encoding);
  for await (const chunk of feed.body as AsyncIterable<Buffer>) {
    budget.bytesLeft -= chunk.length;
    if (budget.bytesLeft < 0) throw new ShowFailure("too_large", "the feed is larger than 50 MiB");
    reader.write(decoder.decode(chunk, { stream: true }));
    if (events.length > 0) yield taken();
  }
  reader.write(decoder.decode());
  reader.end();
  yield taken();
}
