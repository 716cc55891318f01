import { JSONParser } from "@streamparser/json";
import { Parser } from "htmlparser2";
import { feedEncoding } from "./feed-encoding.ts";
import { canonicalName, namespacesOf } from "./xml-names.ts";

export type FeedFormat = "xml" | "json";

/** Up to here it is examined: some feeds begin with long comments. */
export const feedLookBytes = 64 * 1024;

/** As `feedFormat`, for the first bytes of a response with this Content-Type. */
export function feedFormatOfBytes(
  head: Buffer,
  contentType: string | undefined,
): ReturnType<typeof feedFormat> {
  const beginning = head.subarray(0, feedLookBytes);
  const encoding = feedEncoding(beginning, contentType);
  return feedFormat(new TextDecoder(encoding).decode(beginning, { stream: true }));
}

/**
 * What a text with this beginning is, whatever it is called: a feed of some format, not a feed, or too early to tell.
 */
export function feedFormat(beginning: string): FeedFormat | "none" | "undecided" {
  const text = beginning.replace(/^[\uFEFF\s]+/, "");
  if (text === "") return "undecided";
  if (text.startsWith("{")) return jsonFormat(text);
  return text.startsWith("<") ? xmlFormat(text) : "none";
}

const feedRoots: ReadonlySet<string> = new Set(["rss", "rdf:rdf", "atom:feed"]);

/** By the first element. */
function xmlFormat(text: string): "xml" | "none" | "undecided" {
  let root: string | null = null;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        root ??= canonicalName(name, namespacesOf(attributes, new Map()));
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  if (root === null) return "undecided";
  return feedRoots.has(root) ? "xml" : "none";
}

/** By the version, which comes first in all but the oddest feeds. */
function jsonFormat(text: string): "json" | "none" | "undecided" {
  let version: unknown = null;
  let isBroken = false;
  const parser = new JSONParser({ paths: ["$.version"], keepStack: false });
  parser.onValue = ({ value }) => {
    version = value;
  };
  parser.onError = () => {
    isBroken = true;
  };
  parser.write(text);
  if (typeof version === "string") return version.includes("jsonfeed.org/version/") ? "json" : "none";
  return isBroken || parser.isEnded ? "none" : "undecided";
}
