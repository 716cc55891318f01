import { z } from "zod";
import { createGiveWay } from "../parsing/give-way.ts";
import { JobFailure } from "../pipeline/job.ts";
import { withJobFolder } from "../pipeline/job-folder.ts";
import { lookBounds } from "../source/downloader.ts";
import { listingArguments } from "../source/downloader-arguments.ts";
import { failureOfComplaints } from "../source/downloader-failure.ts";
import { plainTitle } from "./plain-title.ts";
import { withoutHiddenData } from "../source/without-hidden-data.ts";
import type { ShowPart } from "./read-feed.ts";
import type { ShowContext } from "./show-context.ts";
import { ShowFailure } from "./show-failure.ts";

const listingMaxBytes = 50 * 1024 * 1024;
/** Many times the longest, with the whole text of its page. */
const entryMaxCharacters = 1024 * 1024;

const text = z.string().nullish().catch(null);
const entrySchema = z.object({
  id: text,
  title: text,
  url: text,
  webpage_url: text,
  playlist_title: text,
  playlist_webpage_url: text,
});
type Entry = z.infer<typeof entrySchema>;

/**
 * Has the downloader list the episodes of a show's page, without visiting each of them. Rejects with ShowFailure,
 * JobFailure, or the signal's reason. Either way, no program is left running.
 */
export async function* listEpisodes(url: string, context: ShowContext): AsyncGenerator<ShowPart[]> {
  const href = withoutHiddenData(url);
  const { network, downloader, workFolder, signal, silenceMs } = context;
  const end = await withJobFolder(workFolder, (folder) =>
    downloader.run(listingArguments(href, { downloader, proxyUrl: network.proxyUrl, silenceMs }), {
      folder,
      signal,
      ...lookBounds,
      stdoutMaxBytes: listingMaxBytes,
      fileMaxBytes: listingMaxBytes,
    }),
  );
  if (end.outcome === "deadline") throw new ShowFailure("timed_out", "the listing took too long");
  if (end.outcome === "exhausted")
    throw new ShowFailure("unreadable", "the listing takes too much processor time");
  if (end.outcome === "flooded") throw new ShowFailure("too_large", "the listing is larger than 50 MiB");
  if (end.exitCode !== 0) throw failureOfComplaints(end.stderr) ?? new JobFailure("source_error");
  yield* partsOfListing(href, end.stdout);
}

/**
 * Parses the listing of the page at `url`, one entry per line, and gives way to other work in between. Throws
 * ShowFailure for an entry that is larger than any.
 */
async function* partsOfListing(url: string, listing: string): AsyncGenerator<ShowPart[]> {
  const giveWay = createGiveWay();
  let isFirst = true;
  for (const line of linesOf(listing)) {
    if (line.length > entryMaxCharacters) throw new ShowFailure("unreadable", "an entry is too large");
    if (line.trim() === "") continue;
    const entry = entrySchema.parse(JSON.parse(line));
    if (isFirst) yield [{ kind: "title", title: plainTitle(entry.playlist_title, "none") }];
    isFirst = false;
    yield [itemOfEntry(url, entry)];
    await giveWay();
  }
}

/** One at a time: a listing can have millions. */
function* linesOf(listing: string): Generator<string> {
  for (let at = 0; at < listing.length;) {
    const found = listing.indexOf("\n", at);
    const end = found === -1 ? listing.length : found;
    yield listing.slice(at, end);
    at = end + 1;
  }
}

function itemOfEntry(listUrl: string, entry: Entry): ShowPart {
  // An entry without a page of its own has its list's page instead.
  const isOwnPage = ![listUrl, entry.playlist_webpage_url].includes(entry.webpage_url);
  const media = [entry.url, isOwnPage ? entry.webpage_url : null].flatMap((address) =>
    address && URL.canParse(address) ? [{ url: withoutHiddenData(address), type: null }] : [],
  );
  return { kind: "item", guid: entry.id ?? null, title: plainTitle(entry.title, "none"), media };
}
