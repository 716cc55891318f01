import type { EncodingOptions } from "../../contracts/encoding-options.ts";
import type { Dependencies } from "../dependencies.ts";
import { sendWakeUp } from "../dispatch/wake-up.ts";
import type { AnswerToKeep } from "../idempotency/idempotency-key.store.ts";
import { errorFields } from "../log.ts";
import { createBatchFromDrafts } from "./create-batch.store.ts";
import { draftEpisodes } from "./draft-episodes.ts";
import { episodeNamer } from "./episode-names.ts";
import type { Show } from "./open-show.ts";
import { deleteDrafts, saveDraft } from "./show-draft.store.ts";
import { noEpisodes } from "./show-errors.ts";
import { showFolder } from "./show-folder.ts";

/** What the client asked for, for every episode. */
export interface ShowRequested {
  readonly accountId: string;
  readonly url: string;
  /** Null: the show's title. */
  readonly folder: string | null;
  readonly webhookUrl: string | null;
  readonly options: EncodingOptions;
}

/** The batch of a show, from which its jobs' ids are derived. */
export interface CreatedShow {
  readonly batch_id: string;
  readonly total_episodes: number;
}

/**
 * Reads a show to its end into drafts, part by part, then creates its batch and all its jobs from them in one
 * transaction. If anything dies before that, nothing has been created, and the sweep deletes the drafts. However many
 * episodes there are, only a few are in memory at a time. Rejects with the ApiError of a show that cannot be read, and
 * like `createJobs` if the idempotency key has a response.
 */
export async function createShow(
  dependencies: Dependencies,
  show: Show,
  requested: ShowRequested,
  keep: (answer: CreatedShow) => AnswerToKeep | null,
): Promise<CreatedShow> {
  const batchId = dependencies.newId();
  const { accountId } = requested;
  const folder = requested.folder ?? showFolder(show);
  try {
    let total = 0;
    for await (const draft of draftEpisodes(show.episodes, batchId, episodeNamer(folder))) {
      await saveDraft(dependencies, accountId, batchId, draft);
      total += draft.count;
    }
    if (total === 0) throw noEpisodes();
    const answer = { batch_id: batchId, total_episodes: total };
    await createBatchFromDrafts(dependencies, { ...requested, batchId, folder, total }, keep(answer));
    dependencies.log.info("Jobs created", { account_id: accountId, jobs: total, batch_id: batchId });
    await sendWakeUp(dependencies, "job_created");
    return answer;
  } catch (error) {
    await dropDrafts(dependencies, accountId, batchId);
    throw error;
  }
}

async function dropDrafts(dependencies: Dependencies, accountId: string, batchId: string): Promise<void> {
  try {
    await deleteDrafts(dependencies, accountId, batchId);
  } catch (error) {
    dependencies.log.warn("Drafts will be deleted by the sweep", {
      batch_id: batchId,
      ...errorFields(error),
    });
  }
}
