import { createHash } from "node:crypto";
import type { ShowLine } from "../../contracts/show.ts";
import { chooseEpisode, type LeftOut } from "./choose-episode.ts";
import type { FeedItem } from "./feed.ts";
import type { ShowPart } from "./read-feed.ts";
import type { ShowContext } from "./show-context.ts";
import { ShowFailure } from "./show-failure.ts";

/**
 * Turns what the feed or the listing at `url` says into lines for the edge: `show`, each episode once, and `end`.
 * Throws ShowFailure `no_episodes` when there is none, before any line.
 */
export async function* episodeLines(
  url: string,
  parts: AsyncIterable<readonly ShowPart[]>,
  { policy, log }: Pick<ShowContext, "policy" | "log">,
): AsyncGenerator<ShowLine[]> {
  const seen = new Set<string>();
  const leftOut: Record<LeftOut | "repeated", number> = { no_media: 0, not_allowed: 0, repeated: 0 };
  let feedUrl = url;
  let title: string | null = null;
  let episodes = 0;
  let position = 0;

  function* linesOf(item: FeedItem): Generator<ShowLine> {
    position += 1;
    const chosen = chooseEpisode(item, policy);
    const left = typeof chosen === "string" ? chosen : isNew(item.guid ?? chosen.url) ? null : "repeated";
    if (left !== null) {
      leftOut[left] += 1;
      log.debug({ position, reason: left }, "an item of a show is left out");
    }
    if (left !== null || typeof chosen === "string") return;
    if (episodes === 0) yield { kind: "show", title, feed_url: feedUrl };
    episodes += 1;
    yield { kind: "episode", url: chosen.url, title: chosen.title };
  }

  function isNew(id: string): boolean {
    const before = seen.size;
    seen.add(fingerprint(id));
    return seen.size > before;
  }

  for await (const piece of parts) {
    const lines: ShowLine[] = [];
    for (const part of piece) {
      if (part.kind === "address") feedUrl = part.url;
      else if (part.kind === "title") title ??= part.title;
      else lines.push(...linesOf(part));
    }
    if (lines.length > 0) yield lines;
  }
  log.info({ episodes, left_out: leftOut }, "a show is read");
  if (episodes === 0) throw new ShowFailure("no_episodes", "the show has no episodes");
  yield [{ kind: "end", episodes }];
}

/** So that a guid of any length costs the same. */
function fingerprint(id: string): string {
  return createHash("sha256").update(id).digest("base64url").slice(0, 22);
}
