import { sourceUrlProblem } from "../../contracts/address-rules.ts";
import type { ShowLine, ShowRequest } from "../../contracts/show.ts";
import { isNamedLikeFeed, isShowAddress } from "../../contracts/show-address.ts";
import type { Dependencies } from "../dependencies.ts";
import { ApiError } from "../http/api-error.ts";
import { errorFields } from "../log.ts";
import { NodeIsFull } from "../processor/processor-client.ts";
import { isNoShowAddress } from "./no-show-address.ts";
import { showProblem, showTimedOut } from "./show-errors.ts";
import { startTimeLimit, type TimeLimit } from "./time-limit.ts";

export interface Episode {
  readonly url: string;
  readonly title: string | null;
}

/** A podcast show that a node is reading. */
export interface Show {
  readonly title: string | null;
  readonly feedUrl: string;
  /**
   * In feed order, as they are found; can be read once. Throws the ApiError for the client if they cannot all be read:
   * the list is complete only if it ends by itself.
   */
  readonly episodes: AsyncIterable<Episode>;
}

type OpenDependencies = Pick<Dependencies, "registry" | "processors" | "settings" | "log" | "wait">;
type Lines = AsyncGenerator<ShowLine, void>;

/** How many nodes are asked if some do not answer. */
const nodesAsked = 3;
/** If one of them is full, they are asked again after this long, while there is time left. */
const fullNodesRestMs = 500;

/** Whether a node has to look at a URL to tell whether it is a show. */
export function isLookedAt(url: string): boolean {
  return isShowAddress(url) || !isNoShowAddress(url);
}

/**
 * Has a node check whether a URL is a podcast show, and start to read it. Null: it is not, or nobody could tell and its
 * name does not say so either. Throws the ApiError for a show that cannot be read, and for something that is named like
 * a feed if nobody could tell in time: feeds are often slow to begin.
 */
export async function openShow(
  dependencies: OpenDependencies,
  accountId: string,
  url: string,
): Promise<Show | null> {
  if (!isLookedAt(url)) return null;
  const isCertain = isShowAddress(url);
  const { showLookMs, showExtractionMs, sourceSilenceMs, feedBytes } = dependencies.settings.limits;
  const isNamedLikeShow = isCertain || isNamedLikeFeed(url);
  const lookMs = isNamedLikeShow ? showExtractionMs : showLookMs;
  const limits = {
    look_ms: lookMs,
    extraction_ms: showExtractionMs,
    silence_ms: sourceSilenceMs,
    feed_bytes: feedBytes,
  };
  const limit = startTimeLimit(lookMs);
  const { first, lines } = await look(
    dependencies,
    { url, account_id: accountId, is_certain: isCertain, limits },
    limit.signal,
  );
  if (first?.kind === "is_show" && lines !== null) {
    limit.restart(showExtractionMs);
    return read(dependencies, lines, limit);
  }
  limit.end();
  await lines?.return();
  if (isCertain && first?.kind === "failed") throw showProblem(first.code);
  const couldNotTell = first === null || (first.kind === "failed" && first.code === "timed_out");
  if (isNamedLikeShow && couldNotTell) throw showTimedOut();
  return null;
}

/** The first line of a node's response, and those that follow; nulls if none answers. */
interface Look {
  readonly first: ShowLine | null;
  readonly lines: Lines | null;
}

const unanswered: Look = { first: null, lines: null };

async function look(
  dependencies: OpenDependencies,
  request: ShowRequest,
  signal: AbortSignal,
): Promise<Look> {
  try {
    while (!signal.aborted) {
      const answer = await askNodes(dependencies, request, signal);
      if (answer !== "full") return answer;
      await dependencies.wait(fullNodesRestMs, signal);
    }
  } catch (error) {
    dependencies.log.warn("Nodes could not be asked to read a show", errorFields(error));
  }
  return unanswered;
}

/** Asks one node after the other; "full" if none answers, but one of them, or one that is starting, might later. */
async function askNodes(
  { registry, processors, settings, log }: OpenDependencies,
  request: ShowRequest,
  signal: AbortSignal,
): Promise<Look | "full"> {
  const addresses = await registry.liveNodes();
  // If there is none, a container may be starting.
  let isAnyFull = addresses.length === 0 && settings.containersMax > 0;
  for (const address of addresses.slice(0, nodesAsked)) {
    const lines = processors.readShow(address, request, signal);
    try {
      const { value: first } = await lines.next();
      if (first) return { first, lines };
    } catch (error) {
      isAnyFull ||= error instanceof NodeIsFull;
      log.warn("A node did not check a URL", errorFields(error));
    }
    if (signal.aborted) break;
  }
  return isAnyFull ? "full" : unanswered;
}

async function read(dependencies: OpenDependencies, lines: Lines, limit: TimeLimit): Promise<Show> {
  try {
    const { value: line } = await lines.next();
    if (line?.kind === "failed") throw showProblem(line.code);
    if (line?.kind !== "show") throw new Error("A show did not begin with its title");
    return {
      title: line.title,
      feedUrl: line.feed_url,
      episodes: episodesOf(dependencies, lines, limit),
    };
  } catch (error) {
    limit.end();
    await lines.return();
    throw problemOf(error, dependencies);
  }
}

async function* episodesOf(
  dependencies: OpenDependencies,
  lines: Lines,
  limit: TimeLimit,
): AsyncGenerator<Episode, void> {
  const { settings, log } = dependencies;
  let count = 0;
  try {
    for await (const line of lines) {
      if (line.kind === "failed") throw showProblem(line.code);
      if (line.kind === "end" && line.episodes === count) return;
      if (line.kind !== "episode") throw new Error("A show's lines were lost or out of order");
      count += 1;
      if (sourceUrlProblem(line.url, settings) === null) yield { url: line.url, title: line.title };
      else log.info("An episode with a forbidden URL was left out");
    }
    throw new Error("A node's response broke off while it was reading a show");
  } catch (error) {
    throw problemOf(error, dependencies);
  } finally {
    limit.end();
  }
}

/** A reading that is cut off is answered like one that took too long: nothing was created, and the client may retry. */
function problemOf(error: unknown, { log }: OpenDependencies): ApiError {
  if (error instanceof ApiError) return error;
  log.warn("A show could not be read to its end", errorFields(error));
  return showTimedOut();
}
