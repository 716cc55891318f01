import { sql } from "drizzle-orm";
import type { Dependencies } from "../../../edge/dependencies.ts";
import { createShow } from "../../../edge/shows/create-show.ts";
import { episodeIds } from "../../../edge/shows/episode-ids.ts";
import { noOptions } from "../../contracts/no-options.ts";

/** Creates a show's batch as POST /jobs would; returns its jobs' ids in feed order. */
export async function makeShow(
  dependencies: Dependencies,
  accountId: string,
  episodes: number,
  webhookUrl: string | null = null,
): Promise<{ batchId: string; ids: string[] }> {
  const { batch_id } = await createShow(
    dependencies,
    { title: "Weekly", feedUrl: "https://feeds.example/", episodes: madeEpisodes(episodes) },
    { accountId, url: "https://podcasts.example/", folder: null, webhookUrl, options: noOptions },
    () => null,
  );
  return { batchId: batch_id, ids: episodeIds(batch_id, episodes) };
}

async function* madeEpisodes(count: number) {
  for (let n = 0; n < count; n += 1) yield { url: `https://media.example/${n}.mp3`, title: `Episode ${n}` };
}

/** Empties the queue: tests in one file share their database. */
export async function emptyLine({ database }: Pick<Dependencies, "database">): Promise<void> {
  await database.run(sql`DELETE FROM jobs`);
  await database.run(sql`UPDATE account_counters SET pending = 0, processing = 0, queued_turn = NULL`);
  await database.run(sql`UPDATE line SET slots = 0`);
}
