import type { ShowLine } from "../../contracts/show.ts";
import { chooseEpisode, type LeftOut } from "./choose-episode.ts";
import type { FeedItem } from "./feed.ts";
import type { ShowPart } from "./read-feed.ts";
import type { ShowContext } from "./show-context.ts";
import { createSeenIds } from "./seen-ids.ts";
import { ShowFailure } from "./show-failure.ts";

/** Room for episodes that precede the show's title, in UTF-16 units: tens of thousands of typical ones. */
const heldMaxUnits = 4 * 1024 * 1024;

/**
 * Turns what the feed or listing at `url` says into lines for the edge: `show`, each episode once, and `end`. A title
 * may follow episodes: they wait for it while there is room for them, and proceed without it otherwise. Throws
 * ShowFailure `no_episodes` if there are none, before any line.
 */
export async function* episodeLines(
  url: string,
  parts: AsyncIterable<readonly ShowPart[]>,
  { policy, log }: Pick<ShowContext, "policy" | "log">,
): AsyncGenerator<ShowLine[]> {
  const seen = createSeenIds();
  const leftOut: Record<LeftOut | "repeated", number> = { no_media: 0, not_allowed: 0, repeated: 0 };
  const held = { lines: [] as ShowLine[], units: 0 };
  let feedUrl: string | null = null;
  let title: string | null = null;
  let isBegun = false;
  let episodes = 0;
  let position = 0;

  function take(item: FeedItem): void {
    position += 1;
    const chosen = chooseEpisode(item, policy);
    const left =
      typeof chosen === "string" ? chosen : seen.isNew(item.guid ?? chosen.url) ? null : "repeated";
    if (left !== null) {
      leftOut[left] += 1;
      log.debug({ position, reason: left }, "an item of a show was left out");
    }
    if (left !== null || typeof chosen === "string") return;
    episodes += 1;
    held.lines.push({ kind: "episode", url: chosen.url, title: chosen.title });
    held.units += chosen.url.length + (chosen.title?.length ?? 0);
  }

  /** What is held, preceded by `show` if these are the first lines. */
  function release(): ShowLine[] {
    const lines = held.lines;
    if (!isBegun) lines.unshift({ kind: "show", title, feed_url: feedUrl ?? url });
    isBegun = true;
    held.lines = [];
    held.units = 0;
    return lines;
  }

  for await (const piece of parts) {
    for (const part of piece) {
      if (part.kind === "address") feedUrl ??= part.url;
      else if (part.kind === "title") title ??= part.title;
      else take(part);
    }
    const mayGoOn = isBegun || title !== null || held.units > heldMaxUnits;
    if (mayGoOn && held.lines.length > 0) yield release();
  }
  log.info({ episodes, left_out: leftOut }, "a show was read");
  if (episodes === 0) throw new ShowFailure("no_episodes", "the show has no episodes");
  yield [...release(), { kind: "end", episodes }];
}
