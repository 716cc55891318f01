import { TokenParser, Tokenizer, TokenType } from "@streamparser/json";
import { z } from "zod";
import { mediaPerItemMax, nestingMax, resolveReference, type FeedEvent, type FeedReader } from "./feed.ts";
import { plainTitle } from "./plain-title.ts";
import { ShowFailure } from "./show-failure.ts";

/** No feed has more in one item, and all of them would be kept in memory. */
const tokensPerItemMax = 100_000;
/** Longer than the text of any episode, which is kept in memory character by character. */
const tokenMaxUnits = 1024 * 1024;

const openings: ReadonlySet<TokenType> = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const closings: ReadonlySet<TokenType> = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

const text = z.string().nullish().catch(null);
const itemSchema = z.object({
  id: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  title: text,
  attachments: z
    .array(z.unknown())
    .transform((all) => all.slice(0, mediaPerItemMax))
    .pipe(z.array(z.object({ url: z.string(), mime_type: text }).nullable().catch(null)))
    .nullish()
    .catch(null),
});

/** Reads the JSON Feed at `url`. */
export function createJsonFeed(url: string, emit: (event: FeedEvent) => void): FeedReader {
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths: ["$.title", "$.next_url", "$.items.*"], keepStack: false });
  let depth = 0;
  let tokensOfItem = 0;
  let unitsOfToken = 0;

  tokenizer.onToken = (token) => {
    unitsOfToken = 0;
    if (openings.has(token.token)) depth += 1;
    if (closings.has(token.token)) depth -= 1;
    tokensOfItem = depth <= 2 ? 0 : tokensOfItem + 1;
    if (depth > nestingMax || tokensOfItem > tokensPerItemMax) {
      throw new ShowFailure("unreadable", "an item of the feed is too large");
    }
    parser.write(token);
  };
  parser.onError = (error) => tokenizer.error(error);
  tokenizer.onError = (error) => {
    // What follows the document does not matter.
    if (parser.isEnded) return;
    throw error instanceof ShowFailure
      ? error
      : new ShowFailure("unreadable", "the feed is not JSON", { cause: error });
  };
  parser.onValue = ({ value, key, stack }) => {
    if (stack.length === 2) emitItem(value);
    else if (typeof value !== "string") return;
    else if (key === "title") emit({ kind: "title", title: plainTitle(value, "none") });
    else if (key === "next_url") {
      const next = resolveReference(value, url);
      if (next !== null) emit({ kind: "next", url: next });
    }
  };

  function emitItem(value: unknown): void {
    const parsed = itemSchema.safeParse(value);
    if (!parsed.success) return;
    const { id, title, attachments } = parsed.data;
    const media = (attachments ?? []).flatMap((attachment) => {
      const address = resolveReference(attachment?.url, url);
      return address === null ? [] : [{ url: address, type: attachment?.mime_type ?? null }];
    });
    emit({ kind: "item", guid: id || null, title: plainTitle(title, "none"), media });
  }

  return {
    write: (piece) => {
      if (parser.isEnded) return;
      unitsOfToken += piece.length;
      if (unitsOfToken > tokenMaxUnits) throw new ShowFailure("unreadable", "a text of the feed is too long");
      tokenizer.write(piece);
    },
    end: () => {
      if (!parser.isEnded) throw new ShowFailure("unreadable", "the feed is truncated");
    },
  };
}
