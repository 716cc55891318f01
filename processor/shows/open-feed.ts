import { createGunzip } from "node:zlib";
import { pipeline, type Readable } from "node:stream";
import { discard } from "../network/open-response.ts";
import { peek, type Peeked } from "../source/peek.ts";
import { feedEncoding } from "./feed-encoding.ts";
import { feedFormat, type FeedFormat } from "./feed-format.ts";
import type { ShowContext } from "./show-context.ts";

/** A feed that was found, unread from its first byte. */
export interface OpenFeed {
  /** After redirects. */
  readonly url: string;
  readonly format: FeedFormat;
  /** A label that TextDecoder knows. */
  readonly encoding: string;
  readonly body: Readable;
}

/** Enough for most … */
const firstBytes = 4096;
/** … and for what begins with long comments. */
const lookBytes = 64 * 1024;
const silenceMs = 30_000;
const headers = {
  accept:
    "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.8",
};

/**
 * GETs a URL once and looks at how its content begins, whatever its type says. Null: no feed. Rejects with
 * JobFailure, with the signal's reason, or as the body does.
 */
export async function openFeed(url: string, { network, signal }: ShowContext): Promise<OpenFeed | null> {
  const response = await network.open(url, { headers, signal, silenceMs });
  const contentType = response.headers["content-type"];
  let { head, body } = await unpacked(await peek(response.body, firstBytes));
  for (const bytes of [firstBytes, lookBytes]) {
    ({ head, body } = await peek(body, bytes));
    const beginning = head.subarray(0, lookBytes);
    const encoding = feedEncoding(beginning, contentType);
    const format = feedFormat(new TextDecoder(encoding).decode(beginning, { stream: true }));
    if (format === "xml" || format === "json") return { url: response.url, format, encoding, body };
    if (format === "none" || head.length < bytes) break;
  }
  discard(body);
  return null;
}

/** A file that was packed before it was put on its server. */
async function unpacked({ head, body }: Peeked): Promise<Peeked> {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return { head, body };
  const content = pipeline(body, createGunzip(), () => {});
  // An abort can come while nobody reads; whoever does gets the error.
  content.on("error", () => {});
  return peek(content, firstBytes);
}
