import { addAbortSignal } from "node:stream";
import { failureOfNetworkError } from "../network/network-failure.ts";
import { briefPatience } from "../network/patience.ts";
import { createRetries } from "../network/retries.ts";
import { createGiveWay, inPieces } from "../parsing/give-way.ts";
import { peek } from "../source/peek.ts";
import type { FeedEvent } from "./feed.ts";
import { feedEncoding } from "./feed-encoding.ts";
import { createJsonFeed } from "./json-feed.ts";
import { openFeed, type OpenFeed } from "./open-feed.ts";
import type { ShowContext } from "./show-context.ts";
import { ShowFailure } from "./show-failure.ts";
import { createXmlFeed } from "./xml-feed.ts";

const pagesMax = 1000;
/** This much text, unless it is all ASCII, usually reveals its encoding. */
const encodingBytes = 4096;

/** What a feed says about its show. */
export type ShowPart = Exclude<FeedEvent, { kind: "next" }>;

/**
 * Reads a feed and the pages it continues on, piece by piece. `opened`: its first look, if there was one; `maxBytes`:
 * for all pages together, uncompressed; `came` is called with the number of bytes that arrived. A page that is cut off
 * is read again from its beginning, so items may be repeated. A page that cannot be fetched or read fails the whole
 * feed, since nobody knows which episodes it lists. Rejects with ShowFailure, JobFailure, or the signal's reason.
 */
export async function* readFeed(
  url: string,
  { opened, maxBytes, came }: { opened: OpenFeed | null; maxBytes: number; came: (bytes: number) => void },
  context: ShowContext,
): AsyncGenerator<ShowPart[]> {
  const budget = { bytesLeft: maxBytes, came };
  const pages = new Set([url]);
  let page = opened;
  // Iterating a set includes what is added in the meantime.
  for (const address of pages) {
    for await (const events of readPage(address, page, budget, context)) {
      for (const event of events) if (event.kind === "next") pages.add(event.url);
      if (pages.size > pagesMax) throw new ShowFailure("too_large", "the feed has too many pages");
      yield events.filter((event) => event.kind !== "next");
    }
    page = null;
  }
}

interface Budget {
  bytesLeft: number;
  readonly came: (bytes: number) => void;
}

async function* readPage(
  url: string,
  opened: OpenFeed | null,
  budget: Budget,
  context: ShowContext,
): AsyncGenerator<FeedEvent[]> {
  const retries = createRetries(context.signal, briefPatience);
  const { bytesLeft } = budget;
  let feed = opened;
  for (;;) {
    try {
      feed ??= await openFeed(url, context);
      if (feed === null) throw new ShowFailure("unreadable", "there is no feed at the address");
      yield* readText(feed, budget, context.signal);
      return;
    } catch (error) {
      context.signal.throwIfAborted();
      await retries.next(failureOfNetworkError(error));
      budget.bytesLeft = bytesLeft;
      feed = null;
    }
  }
}

async function* readText(feed: OpenFeed, budget: Budget, signal: AbortSignal): AsyncGenerator<FeedEvent[]> {
  let events: FeedEvent[] = [{ kind: "address", url: feed.url }];
  const emit = (event: FeedEvent) => void events.push(event);
  const taken = () => {
    const found = events;
    events = [];
    return found;
  };
  const reader = feed.format === "json" ? createJsonFeed(feed.url, emit) : createXmlFeed(feed.url, emit);
  // It may have been opened before there was anything to lose.
  const { head, body } = await peek(addAbortSignal(signal, feed.body), encodingBytes);
  const giveWay = createGiveWay();
  const decoder = new TextDecoder(feedEncoding(head, feed.contentType));
  for await (const chunk of body as AsyncIterable<Buffer>) {
    budget.came(chunk.length);
    budget.bytesLeft -= chunk.length;
    if (budget.bytesLeft < 0) throw new ShowFailure("too_large", "the feed is too large");
    for (const piece of inPieces(decoder.decode(chunk, { stream: true }))) {
      reader.write(piece);
      await giveWay();
    }
    if (events.length > 0) yield taken();
  }
  reader.write(decoder.decode());
  reader.end();
  yield taken();
}
