import { sql } from "drizzle-orm";
import type { Dependencies } from "../dependencies.ts";

type StoreDependencies = Pick<Dependencies, "database" | "clock">;

/** Consecutive episodes of a feed, as stored in a draft's row. */
export interface ShowDraft {
  readonly firstPlace: number;
  readonly count: number;
  /** JSON: a list of `{id, url, filename}`. */
  readonly episodes: string;
}

/** Saves one draft of a show that is being read; `batchId` is the id that the show's batch will have. */
export async function saveDraft(
  { database, clock }: StoreDependencies,
  accountId: string,
  batchId: string,
  { firstPlace, count, episodes }: ShowDraft,
): Promise<void> {
  await database.run(sql`
    INSERT INTO show_drafts (account_id, batch_id, first_place, count, created_at, episodes)
    VALUES (${accountId}, ${batchId}, ${firstPlace}, ${count}, ${clock()}, ${episodes})`);
}

/** Deletes what was read of a show that will not be created. */
export async function deleteDrafts(
  { database }: Pick<Dependencies, "database">,
  accountId: string,
  batchId: string,
): Promise<void> {
  await database.run(sql`DELETE FROM show_drafts WHERE account_id = ${accountId} AND batch_id = ${batchId}`);
}

/** This long after its time limit, a reading is over whatever became of it. */
const graceMs = 60_000;

/** Deletes the drafts of readings that died. The table holds nothing else for long, so that checking is cheap. */
export async function deleteStaleDrafts({
  database,
  clock,
  settings,
}: StoreDependencies & Pick<Dependencies, "settings">): Promise<void> {
  const { showLookMs, showExtractionMs } = settings.limits;
  await database.run(
    sql`DELETE FROM show_drafts WHERE created_at < ${clock() - showLookMs - showExtractionMs - graceMs}`,
  );
}
