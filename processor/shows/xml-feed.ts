import { Parser } from "htmlparser2";
import { nestingMax, resolveReference, type FeedEvent, type FeedReader } from "./feed.ts";
import { createXmlItem, type XmlItem } from "./xml-item.ts";
import { plainTitle } from "./plain-title.ts";
import { ShowFailure } from "./show-failure.ts";
import { canonicalName, namespacesOf, type Namespaces } from "./xml-names.ts";

interface Element {
  readonly name: string;
  /** What its references are relative to. */
  readonly base: string;
  readonly namespaces: Namespaces;
}

const channels: ReadonlySet<string> = new Set(["channel", "atom:feed"]);
const items: ReadonlySet<string> = new Set(["item", "atom:entry"]);
/** Elements whose text matters, directly inside a channel or an item. */
const channelTexts: ReadonlySet<string> = new Set(["title", "atom:title"]);
const itemTexts: ReadonlySet<string> = new Set(["title", "atom:title", "itunes:title", "guid", "atom:id"]);
/** How a channel continues: its next page, or the older part of an archive (RFC 5005). */
const nextRelations: ReadonlySet<string | undefined> = new Set(["next", "prev-archive"]);
/** Resolving thousands of references below a longer base takes seconds, and no result could be fetched. */
const baseMaxCharacters = 2048;
/** An element is taken in one piece, however long its tag. */
const attributesMax = 50_000;
/** Longer texts are cut to this. */
const textMaxUnits = 16 * 1024;

/**
 * Reads the RSS 0.9x, 1.0, 2.0 or Atom feed at `url`. The underlying parser tolerates what podcast apps tolerate,
 * except a missing end of the root element, knows only XML's own entities, and fetches nothing: entities that a
 * document defines stay as they are.
 */
export function createXmlFeed(url: string, emit: (event: FeedEvent) => void): FeedReader {
  const open: Element[] = [{ name: "", base: url, namespaces: new Map() }];
  let item: XmlItem | null = null;
  let isWhole = false;
  let attributesOfElement = 0;
  let text: { readonly owner: number; readonly isMarkup: boolean; value: string } | null = null;

  function openElement(rawName: string, attributes: Readonly<Record<string, string>>): void {
    const parent = open.at(-1);
    if (parent === undefined || open.length > nestingMax) {
      throw new ShowFailure("unreadable", "the feed is nested too deep");
    }
    const namespaces = namespacesOf(attributes, parent.namespaces);
    const name = canonicalName(rawName, namespaces);
    const ownBase = resolveReference(attributes["xml:base"], parent.base);
    const base = ownBase === null || ownBase.length > baseMaxCharacters ? parent.base : ownBase;
    open.push({ name, base, namespaces });

    if (items.has(name)) {
      // An item that was never closed ends where the next one begins.
      endItem();
      item = createXmlItem(attributes["rdf:about"] ?? null);
    } else if (item !== null) {
      item.element(name, attributes, base);
    } else if (name === "atom:link" && nextRelations.has(attributes["rel"]) && channels.has(parent.name)) {
      const next = resolveReference(attributes["href"], base);
      if (next !== null) emit({ kind: "next", url: next });
    }

    const isText = (item === null ? channelTexts : itemTexts).has(name);
    const isOwn = (item === null ? channels : items).has(parent.name);
    if (isText && isOwn && text === null) {
      // RSS does not say whether a title is markup, and both are common; Atom does.
      const isMarkup = name === "title" || attributes["type"] === "html";
      text = { owner: open.length, isMarkup, value: "" };
    }
  }

  function closeElement(): void {
    const closed = open.pop();
    if (closed === undefined) return;
    if (text !== null && text.owner > open.length) {
      takeText(closed.name, text.value, text.isMarkup);
      text = null;
    }
    item?.closed(closed.name);
    if (items.has(closed.name)) endItem();
    if (open.length === 1) isWhole = true;
  }

  function takeText(name: string, value: string, isMarkup: boolean): void {
    if (item === null) emit({ kind: "title", title: plainTitle(value, isMarkup ? "html" : "none") });
    else item.text(name, value, isMarkup);
  }

  function endItem(): void {
    if (item !== null) emit(item.end());
    item = null;
  }

  const parser = new Parser(
    {
      onopentagname: () => {
        attributesOfElement = 0;
      },
      onattribute: () => {
        attributesOfElement += 1;
        if (attributesOfElement > attributesMax)
          throw new ShowFailure("unreadable", "an element has too many attributes");
      },
      onopentag: openElement,
      onclosetag: closeElement,
      ontext: (piece) => {
        if (text !== null && text.value.length < textMaxUnits) text.value += piece;
      },
    },
    { xmlMode: true },
  );
  return {
    write: (piece) => parser.write(piece),
    end: () => {
      // The parser itself closes whatever is open at the end.
      if (!isWhole) throw new ShowFailure("unreadable", "the feed is truncated");
      parser.end();
    },
  };
}
