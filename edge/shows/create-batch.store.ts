import { sql } from "drizzle-orm";
import { createdIfRoom, createWithinLimit } from "../accounts/pending-limit.store.ts";
import { initialJobState } from "../../contracts/job-lifecycle.ts";
import { episodesAtOnce } from "../batches/episodes-at-once.ts";
import type { Dependencies } from "../dependencies.ts";
import type { AnswerToKeep } from "../idempotency/idempotency-key.store.ts";
import { managedLocationId } from "../storage/storage-location.store.ts";
import { transact } from "../transact.ts";
import type { ShowRequested } from "./create-show.ts";
import { episodeId } from "./episode-ids.ts";

interface DraftedBatch extends ShowRequested {
  readonly batchId: string;
  readonly folder: string;
  /** How many episodes the drafts contain. */
  readonly total: number;
}

/**
 * Turns drafts into a show's batch and its jobs: rows, usage, counts, the stored response and the deletion of the
 * drafts, in one transaction. The first jobs join the queue next to what was claimed last, as a flow of their own; the
 * others are held back until one of the batch ends. Rejects, and creates nothing, if drafts are missing, with KeyInUse if
 * the idempotency key has a response, or with the ApiError if too many of the account's jobs are waiting.
 */
export async function createBatchFromDrafts(
  dependencies: Pick<Dependencies, "database" | "clock" | "newToken" | "settings">,
  batch: DraftedBatch,
  keptAnswer: AnswerToKeep | null,
): Promise<void> {
  const { database, clock, newToken } = dependencies;
  const { accountId, batchId, url, folder, webhookUrl, options, total } = batch;
  const locationId = await managedLocationId(dependencies);
  const now = clock();
  const ofBatch = sql`account_id = ${accountId} AND batch_id = ${batchId}`;
  const place = sql`(draft.first_place + episode.key)`;
  const claimedTurn = sql`(SELECT claimed_turn FROM line)`;
  const lastReleased = episodeId(batchId, Math.min(episodesAtOnce, total) - 1);

  await createWithinLimit(database, accountId, keptAnswer, now, (keep) =>
    transact(database, [
      ...keep,
      sql`
        UPDATE account_counters
        SET jobs_created = ${createdIfRoom(total)}, pending = pending + ${total},
          queued_turn = min(${claimedTurn}, coalesce(queued_turn, ${claimedTurn}))
        WHERE account_id = ${accountId}`,
      // Without the account's counters there is no account, and without all of the drafts no total: either fails the
      // transaction.
      sql`
        INSERT INTO batches (account_id, id, show_url, folder, webhook_url, status, total, created_at, last_released)
        VALUES ((SELECT account_id FROM account_counters WHERE account_id = ${accountId}), ${batchId}, ${url}, ${folder}, ${webhookUrl}, 'processing',
          (SELECT CASE sum(count) WHEN ${total} THEN ${total} END FROM show_drafts WHERE ${ofBatch}),
          ${now}, ${lastReleased})`,
      sql`
        INSERT INTO jobs (account_id, id, batch_id, url, folder, filename, options, status, step, claim, interruptions,
          publishing, transition, ready_at, turn, created_at, storage_location_id)
        SELECT ${accountId}, episode.value ->> 'id', ${batchId}, episode.value ->> 'url', ${folder},
          episode.value ->> 'filename', ${JSON.stringify(options)}, ${initialJobState.status},
          ${initialJobState.step}, ${initialJobState.claim}, ${initialJobState.interruptions}, 0, ${newToken()},
          CASE WHEN ${place} < ${episodesAtOnce} THEN ${now} END, line.claimed_turn + ${place}, ${now},
          coalesce(accounts.storage_location_id, ${locationId})
        FROM accounts, line, show_drafts AS draft, json_each(draft.episodes) AS episode
        WHERE accounts.id = ${accountId} AND draft.account_id = ${accountId} AND draft.batch_id = ${batchId}`,
      sql`DELETE FROM show_drafts WHERE ${ofBatch}`,
    ]),
  );
}
