import { basename, extname } from "node:path/posix";
import { cutText } from "../../contracts/cut-text.ts";
import { titleMaxCharacters } from "../../contracts/limits.ts";
import { namesMedia } from "../../contracts/media-address.ts";
import type { OpenResponse } from "../network/open-response.ts";
import { SourceBusy, SourceDown } from "../network/network-failure.ts";
import { createRetries } from "../network/retries.ts";
import { JobFailure } from "../pipeline/job.ts";
import { isListedShow } from "../shows/listed-hosts.ts";
import { describeMedia } from "./describe-media.ts";
import { lookAt } from "./first-look.ts";
import { isKnownAddress } from "./known-address.ts";
import type { SourceContext } from "./source-context.ts";
import type { ListedSidecars, Source, SourceFormat } from "./source.ts";
import { withoutHiddenData } from "./without-hidden-data.ts";

/**
 * Finds out what a URL is. A site that the downloader knows is left to it. Anything else is a media file by its first
 * bytes, or whatever the downloader makes of it. An address that ends like a media file or manifest is looked at first
 * in any case: asking whether its site is known would cost more than most of them. Rejects with JobFailure, or with the
 * signal's reason.
 */
export async function resolveSource(url: string, context: SourceContext): Promise<Source> {
  const href = withoutHiddenData(url);
  if (isListedShow(href)) throw new JobFailure("is_show");
  if (!namesMedia(href) && (await isKnownAddress(href, context))) return describePatiently(href, context);
  const look = await lookAt({ url: href, headers: {} }, context);
  if (look.kind === "feed") throw new JobFailure("is_show");
  if (look.kind === "media") return directSource(href, look.response);
  try {
    return await describePatiently(href, context);
  } catch (error) {
    // "Nothing found" says less than the URL's own response.
    const foundNothing = error instanceof JobFailure && error.code === "unsupported_url";
    throw foundNothing && look.failure !== null ? look.failure : error;
  }
}

/** The downloader asks each time as often as it does by itself, which is a matter of seconds. */
async function describePatiently(href: string, context: SourceContext): Promise<Source> {
  const retries = createRetries(context.signal, context.network.patience);
  for (;;) {
    try {
      return await describeMedia(href, context);
    } catch (error) {
      if (!(error instanceof SourceBusy || error instanceof SourceDown)) throw error;
      await retries.next(error);
    }
  }
}

/** Sidecars of a file are inside the file itself. */
const nothingListed: ListedSidecars = { language: null, subtitles: [], thumbnails: [] };

function directSource(url: string, response: OpenResponse): Source {
  return {
    url,
    title: cutText(titleFrom(response.url), titleMaxCharacters) || null,
    durationSeconds: null,
    listed: nothingListed,
    infoPath: null,
    firstLook: response,
    formats: [directFormat(response.url, response.length)],
  };
}

/** A file about which nothing is known, except perhaps its size in bytes. */
export function directFormat(url: string, bytes: number | null): SourceFormat {
  return {
    id: "direct",
    url,
    protocol: "file",
    fragments: [],
    fragmentBase: null,
    listedSeconds: null,
    headers: {},
    rangeBytes: null,
    videoCodec: "unknown",
    audioCodec: "unknown",
    width: null,
    height: null,
    audioBitrateBps: null,
    languagePreference: 0,
    bytes,
  };
}

/** The last part of the path, without its extension. */
function titleFrom(url: string): string {
  const { pathname } = new URL(url);
  const name = basename(pathname, extname(pathname));
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
