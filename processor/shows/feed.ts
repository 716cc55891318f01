/** Where an item's media lie, as the feed names it. */
export interface MediaReference {
  /** Absolute where the feed's own address made it so. */
  readonly url: string;
  /** The MIME type that the feed gives; null where it gives none. */
  readonly type: string | null;
}

/** One item of a feed or a listing. */
export interface FeedItem {
  readonly kind: "item";
  /** What the feed calls it by; null where it does not. */
  readonly guid: string | null;
  /** Plain text of one line, cut to `titleMaxCharacters`; null for none. */
  readonly title: string | null;
  /** The publisher's choice first. */
  readonly media: readonly MediaReference[];
}

/** What a feed turns out to say, in its order. */
export type FeedEvent =
  | FeedItem
  /** Where it was found, after redirects. */
  | { readonly kind: "address"; readonly url: string }
  | { readonly kind: "title"; readonly title: string | null }
  /** The feed goes on there, after what it has named before. */
  | { readonly kind: "next"; readonly url: string };

/** Reads the text of one feed piece by piece, keeping no more of it than the item at hand. */
export interface FeedReader {
  /** Throws ShowFailure for what cannot be read. */
  write(text: string): void;
  /** The text is over. Throws ShowFailure when it may not end here. */
  end(): void;
}

/** Deeper nesting is none of a feed, and costs more with every level. */
export const nestingMax = 128;

/** An address in a feed, resolved; null for what is none. */
export function resolveReference(reference: string | undefined, base: string): string | null {
  const text = reference?.trim() ?? "";
  return text !== "" && URL.canParse(text, base) ? new URL(text, base).href : null;
}
