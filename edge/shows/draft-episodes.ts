import { episodeId } from "./episode-ids.ts";
import type { Episode } from "./open-show.ts";
import type { ShowDraft } from "./show-draft.store.ts";

/** A draft is closed when its text has this many UTF-16 units: in UTF-8 far less than a database row can hold. */
const draftUnits = 256 * 1024;

/** Packs a show's episodes, as they arrive, into drafts of limited size, each job with its id and file name. */
export async function* draftEpisodes(
  episodes: AsyncIterable<Episode>,
  batchId: string,
  nameOf: (title: string | null) => string | null,
): AsyncGenerator<ShowDraft, void> {
  let firstPlace = 0;
  let texts: string[] = [];
  let units = 0;
  const close = (): ShowDraft => {
    const draft = { firstPlace, count: texts.length, episodes: `[${texts.join(",")}]` };
    firstPlace += texts.length;
    texts = [];
    units = 0;
    return draft;
  };
  for await (const { url, title } of episodes) {
    const id = episodeId(batchId, firstPlace + texts.length);
    const text = JSON.stringify({ id, url, filename: nameOf(title) });
    texts.push(text);
    units += text.length;
    if (units >= draftUnits) yield close();
  }
  if (texts.length > 0) yield close();
}
