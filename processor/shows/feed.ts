/** Where an item's media is, according to the feed. */
export interface MediaReference {
  /** Absolute, resolved against the feed's own URL. */
  readonly url: string;
  /** The MIME type that the feed gives; null if none. */
  readonly type: string | null;
}

/** One item of a feed or a listing. */
export interface FeedItem {
  readonly kind: "item";
  /** The item's id in the feed; null if none. */
  readonly guid: string | null;
  /** Plain text on one line, cut to `titleMaxCharacters`; null if none. */
  readonly title: string | null;
  /** The publisher's preferred one first. */
  readonly media: readonly MediaReference[];
}

/** What a feed contains, in its order. */
export type FeedEvent =
  | FeedItem
  /** Where it was found, after redirects. */
  | { readonly kind: "address"; readonly url: string }
  | { readonly kind: "title"; readonly title: string | null }
  /** The feed continues there, after what it has listed before. */
  | { readonly kind: "next"; readonly url: string };

/** Reads the text of one feed piece by piece, keeping no more of it than the current item. */
export interface FeedReader {
  /** Throws ShowFailure for what cannot be read. */
  write(text: string): void;
  /** Call at the end of the text. Throws ShowFailure if it may not end here. */
  end(): void;
}

/** No feed nests deeper, and every level costs more than the last. */
export const nestingMax = 128;

/** Media locations kept for one item. */
export const mediaPerItemMax = 1000;

/** A URL in a feed, resolved; null if it is not one, or longer than any URL that may be fetched. */
export function resolveReference(reference: string | undefined, base: string): string | null {
  const text = reference?.trim() ?? "";
  if (text === "" || text.length > addressMaxCharacters || !URL.canParse(text, base)) return null;
  const { href } = new URL(text, base);
  return href.length > addressMaxCharacters ? null : href;
}

/** The longest URL allowed, with room for the characters that a parser escapes. The exact limit applies to episodes. */
const addressMaxCharacters = 16 * 1024;
