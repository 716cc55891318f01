import { sourceUrlProblem } from "../../contracts/address-rules.ts";
import type { ShowFailure as ShowFailureCode, ShowLine, ShowRequest } from "../../contracts/show.ts";
import { failureOfNetworkError, SourceSilent } from "../network/network-failure.ts";
import { discard } from "../network/open-response.ts";
import { withJobFolder } from "../pipeline/job-folder.ts";
import { JobFailure } from "../pipeline/job.ts";
import { isKnownAddress } from "../source/known-address.ts";
import { withoutHiddenData } from "../source/without-hidden-data.ts";
import { appleFeedUrl, appleShow } from "./apple-show.ts";
import { startCountdown } from "./countdown.ts";
import { episodeLines } from "./episode-lines.ts";
import { listEpisodes } from "./list-episodes.ts";
import { isListedShow } from "./listed-hosts.ts";
import { openFeed, type OpenFeed } from "./open-feed.ts";
import { createPace } from "./pace.ts";
import { readFeed } from "./read-feed.ts";
import type { ShowContext } from "./show-context.ts";
import { ShowFailure } from "./show-failure.ts";
import type { Turn } from "./turns.ts";

/**
 * Finds out whether a URL is a podcast show and lists its episodes: the lines of the response to the edge, batched as
 * they become available. Keeps nothing, so a response that is cut off has to be requested again. Rejects with the
 * signal's reason, or with an error of the node itself.
 */
export async function* readShow(
  { url, account_id, is_certain, limits }: ShowRequest,
  context: Omit<ShowContext, "silenceMs">,
): AsyncGenerator<ShowLine[]> {
  const countdown = startCountdown(limits.look_ms, context.signal);
  const within = { ...context, signal: countdown.signal, silenceMs: limits.silence_ms };
  try {
    if (sourceUrlProblem(url, context.policy) !== null) throw new ShowFailure("unreadable", "not allowed");
    const isShow = is_certain || isListedShow(url);
    const feed = isShow ? null : await look(url, within);
    if (!isShow && feed === null) {
      yield [{ kind: "not_a_show" }];
      return;
    }
    countdown.restart(limits.extraction_ms);
    yield [{ kind: "is_show" }];
    yield* linesInTurn(feed, account_id, within, (opened, turn) =>
      linesOfShow(url, opened, limits.feed_bytes, { ...within, turn }),
    );
  } catch (error) {
    context.signal.throwIfAborted();
    const code = countdown.isOver() ? "timed_out" : codeOf(error);
    context.log.info({ err: error, code }, "a show could not be read");
    yield [{ kind: "failed", code }];
  } finally {
    countdown.stop();
  }
}

/**
 * The only look that an unknown address gets. Whatever goes wrong with it is left to the job, except that it takes too
 * long: the edge knows what that means. Sites that the downloader knows have no feeds at their addresses, unless these
 * say so anywhere.
 */
async function look(url: string, context: ShowContext): Promise<OpenFeed | null> {
  if (!feedWords.test(url) && (await isKnown(url, context))) return null;
  try {
    return await openFeed(url, context);
  } catch (error) {
    context.signal.throwIfAborted();
    const failure = failureOfNetworkError(error);
    if (failure instanceof JobFailure && !(failure instanceof SourceSilent)) return null;
    throw failure;
  }
}

const feedWords = /(?<![a-z])(rss|atom|xml|feeds?|podcasts?)(?![a-z])/i;

function isKnown(url: string, { workFolder, downloader, signal }: ShowContext): Promise<boolean> {
  const href = withoutHiddenData(url);
  return withJobFolder(workFolder, (folder) => isKnownAddress(href, { downloader, folder, signal }));
}

/** A feed is not kept open while others are being read, but opened again afterwards. */
async function* linesInTurn(
  feed: OpenFeed | null,
  accountId: string,
  { turns, signal }: ShowContext,
  linesOf: (feed: OpenFeed | null, turn: Turn) => AsyncGenerator<ShowLine[]>,
): AsyncGenerator<ShowLine[]> {
  const mustWait = !turns.areFree(accountId);
  if (mustWait && feed !== null) discard(feed.body);
  const turn = await turns.take(accountId, signal);
  try {
    yield* linesOf(mustWait ? null : feed, turn);
  } finally {
    turn.end();
  }
}

async function* linesOfShow(
  url: string,
  opened: OpenFeed | null,
  maxBytes: number,
  { turn, ...context }: ShowContext & { turn: Turn },
): AsyncGenerator<ShowLine[]> {
  if (isListedShow(url)) {
    yield* episodeLines(url, listEpisodes(url, context), context);
    return;
  }
  const apple = appleShow(url);
  const feedUrl = apple === null ? url : await appleFeedUrl(apple, context);
  const pace = createPace(context.leastPace, () => turn.isWanted(), context.signal);
  const paced = { ...context, signal: pace.signal };
  const parts = readFeed(feedUrl, { opened, maxBytes, came: (bytes) => pace.came(bytes) }, paced);
  yield* pace.timed(episodeLines(feedUrl, parts, context));
}

/** Throws what is not the show's fault. If a source falls silent, nobody knows whether it can be read. */
function codeOf(error: unknown): ShowFailureCode {
  if (error instanceof ShowFailure) return error.code;
  if (error instanceof SourceSilent) return "timed_out";
  if (error instanceof JobFailure) return "unreadable";
  throw error;
}
