import type { FeedEvent, FeedItem, FeedReader } from "../../../processor/shows/feed.ts";
import { createJsonFeed } from "../../../processor/shows/json-feed.ts";
import { createXmlFeed } from "../../../processor/shows/xml-feed.ts";

export const feedUrl = "https://feeds.example/shows/one.xml";

export interface ReadFeedText {
  readonly title: string | null;
  readonly items: readonly FeedItem[];
  readonly next: readonly string[];
}

/** The result of a reader for a text that arrives in chunks of this many units. */
export function readText(text: string, format: "xml" | "json", pieceUnits = text.length || 1): ReadFeedText {
  const events: FeedEvent[] = [];
  const create = format === "json" ? createJsonFeed : createXmlFeed;
  const reader: FeedReader = create(feedUrl, (event) => void events.push(event));
  for (let at = 0; at < text.length; at += pieceUnits) reader.write(text.slice(at, at + pieceUnits));
  reader.end();
  return {
    title: events.find((event) => event.kind === "title")?.title ?? null,
    items: events.filter((event) => event.kind === "item"),
    next: events.flatMap((event) => (event.kind === "next" ? [event.url] : [])),
  };
}

/** An RSS channel with this content, and the usual prefixes declared. */
export function rss(content: string): string {
  const prefixes =
    `xmlns:media="http://search.yahoo.com/mrss/" xmlns:podcast="https://podcastindex.org/namespace/1.0" ` +
    `xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"`;
  return `<?xml version="1.0"?><rss version="2.0" ${prefixes}><channel><title>Show</title>${content}</channel></rss>`;
}
