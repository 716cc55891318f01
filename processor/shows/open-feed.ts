import { createGunzip } from "node:zlib";
import { pipeline, type Readable } from "node:stream";
import { discard } from "../network/open-response.ts";
import { peek, peekUntil } from "../source/peek.ts";
import { feedFormatOfBytes, feedLookBytes, type FeedFormat } from "./feed-format.ts";
import type { ShowContext } from "./show-context.ts";

/** A feed that was found, unread from its first byte. */
export interface OpenFeed {
  /** After redirects. */
  readonly url: string;
  readonly format: FeedFormat;
  readonly contentType: string | undefined;
  readonly body: Readable;
}

/** Enough to recognize a compressed file, and the least that tells an encoding. */
const magicBytes = 2;
const encodingBytes = 4;
/** Up to here every piece is examined, afterwards each time the text has doubled. */
const eachPieceBytes = 4096;
const headers = {
  accept:
    "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.8",
};

/**
 * GETs a URL once and looks at how its content begins, whatever its type says, for no longer than necessary, since a
 * feed may arrive as slowly as it is generated. Null: not a feed. Rejects with JobFailure, with the signal's reason, or
 * like the body does.
 */
export async function openFeed(
  url: string,
  { network, signal, silenceMs }: Pick<ShowContext, "network" | "signal" | "silenceMs">,
): Promise<OpenFeed | null> {
  const response = await network.open(url, { headers, signal, silenceMs });
  const contentType = response.headers["content-type"];
  let lookedAt = 0;
  const { head, body } = await peekUntil(await unpacked(response.body), (length, come) => {
    const isDue = length <= eachPieceBytes || length >= Math.min(2 * lookedAt, feedLookBytes);
    if (length < encodingBytes || !isDue) return false;
    lookedAt = length;
    return length >= feedLookBytes || feedFormatOfBytes(come(), contentType) !== "undecided";
  });
  const format = feedFormatOfBytes(head, contentType);
  if (format === "xml" || format === "json") return { url: response.url, format, contentType, body };
  discard(body);
  return null;
}

/** For a file that was compressed before it was put on its server. */
async function unpacked(stream: Readable): Promise<Readable> {
  const { head, body } = await peek(stream, magicBytes);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return body;
  const content = pipeline(body, createGunzip(), () => {});
  // An abort can come while nobody is reading; any reader gets the error.
  content.on("error", () => {});
  return content;
}
