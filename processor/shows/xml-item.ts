import { mediaPerItemMax, resolveReference, type FeedItem, type MediaReference } from "./feed.ts";
import { plainTitle } from "./plain-title.ts";

/** One item of an XML feed, collected element by element. */
export interface XmlItem {
  /** An element inside it opens; `base` is what its references are relative to. */
  element(name: string, attributes: Readonly<Record<string, string>>, base: string): void;
  closed(name: string): void;
  /** The text of an element directly inside it. */
  text(name: string, value: string, isMarkup: boolean): void;
  end(): FeedItem;
}

/** Where media can be listed, the publisher's preferred one first. */
const ranks = { enclosure: 0, defaultAlternate: 1, alternate: 2, defaultContent: 3, content: 4 } as const;

/** `about`: the item's id in RDF. */
export function createXmlItem(about: string | null): XmlItem {
  const found: { readonly rank: number; readonly media: MediaReference }[] = [];
  let guid = about;
  let title: string | null = null;
  let itunesTitle: string | null = null;
  let alternate: { readonly rank: number; readonly type: string | null } | null = null;

  function add(rank: number, reference: string | undefined, type: string | null | undefined, base: string) {
    if (found.length >= mediaPerItemMax) return;
    const url = resolveReference(reference, base);
    if (url !== null) found.push({ rank, media: { url, type: type || null } });
  }

  return {
    element: (name, attributes, base) => {
      const { url, href, src, uri, type } = attributes;
      if (name === "enclosure" || name === "enc:enclosure") {
        add(ranks.enclosure, url ?? attributes["rdf:resource"] ?? href, type ?? attributes["enc:type"], base);
      } else if (name === "atom:link" && attributes["rel"] === "enclosure") {
        add(ranks.enclosure, href, type, base);
      } else if (name === "atom:content" && src !== undefined) {
        add(ranks.content, src, type, base);
      } else if (name === "media:content" && isPlayable(attributes["medium"])) {
        add(isTrue(attributes["isDefault"]) ? ranks.defaultContent : ranks.content, url, type, base);
      } else if (name === "podcast:alternateenclosure") {
        const rank = isTrue(attributes["default"]) ? ranks.defaultAlternate : ranks.alternate;
        alternate = { rank, type: type ?? null };
      } else if (name === "podcast:source" && alternate !== null) {
        add(alternate.rank, uri, attributes["contentType"] ?? alternate.type, base);
      }
    },
    closed: (name) => {
      if (name === "podcast:alternateenclosure") alternate = null;
    },
    text: (name, value, isMarkup) => {
      if (name === "guid" || name === "atom:id") guid = value.trim() || guid;
      else if (name === "itunes:title") itunesTitle ??= plainTitle(value, "html");
      else title ??= plainTitle(value, isMarkup ? "html" : "none");
    },
    end: () => ({
      kind: "item",
      guid,
      title: title ?? itunesTitle,
      media: found.toSorted((a, b) => a.rank - b.rank).map(({ media }) => media),
    }),
  };
}

function isPlayable(medium: string | undefined): boolean {
  return medium === undefined || /^(audio|video)$/i.test(medium.trim());
}

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === "true";
}
