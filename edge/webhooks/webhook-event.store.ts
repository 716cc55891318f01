import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { transact } from "../transact.ts";
import { tryTimeoutMs } from "./send-webhook.ts";
import type { WebhookType } from "./webhook.table.ts";

/** An event whose next attempt belongs to the claimer. */
export interface ClaimedEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: WebhookType;
  readonly jobId: string | null;
  readonly batchId: string | null;
  readonly url: string;
  readonly createdAt: number;
  /** Number of this attempt, from 1. */
  readonly tries: number;
  /** When the event is due again if the result of this attempt is never recorded; ms. */
  readonly claimedUntil: number;
}

/** One entry of the log. */
export interface Try {
  readonly id: string;
  readonly startedAt: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly nextTryAt: number | null;
}

/** An attempt takes at most its timeout and a few queries; after this long it was lost. */
const claimMs = 4 * tryTimeoutMs;
const dueMax = 100;

/**
 * Claims those of the events that are due: each attempt belongs to one claimer, no matter how often it is woken. Reads
 * and writes only the named events.
 */
export async function claimEvents(
  { database, clock }: Pick<Dependencies, "database" | "clock">,
  eventIds: readonly string[],
): Promise<ClaimedEvent[]> {
  const now = clock();
  return database.all<ClaimedEvent>(sql`
    UPDATE webhook_events SET tries = tries + 1, next_try_at = ${now + claimMs}
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(eventIds)})) AND next_try_at <= ${now}
    RETURNING id, account_id AS accountId, type, job_id AS jobId, batch_id AS batchId, url, created_at AS createdAt,
      tries, next_try_at AS claimedUntil`);
}

/**
 * Logs an attempt and says when the next one is due. If the event was claimed or sent again in the meantime, the
 * delivery this attempt belonged to is abandoned: it has no next attempt.
 */
export async function recordTry(
  { database }: Pick<Dependencies, "database">,
  event: ClaimedEvent,
  made: Try,
): Promise<void> {
  const { accountId, id, jobId, batchId, type, tries, claimedUntil } = event;
  await transact(database, [
    sql`
      UPDATE webhook_events SET next_try_at = ${made.nextTryAt}
      WHERE id = ${id} AND tries = ${tries} AND next_try_at = ${claimedUntil}`,
    sql`
      INSERT INTO webhook_deliveries (account_id, id, event_id, job_id, batch_id, type, try, http_status, error,
        created_at, next_try_at)
      SELECT ${accountId}, ${made.id}, ${id}, ${jobId}, ${batchId}, ${type}, ${tries}, ${made.httpStatus},
        ${made.error}, ${made.startedAt},
        (SELECT next_try_at FROM webhook_events WHERE id = ${id} AND tries = ${tries}
          AND next_try_at = ${made.nextTryAt})`,
    sql`
      UPDATE account_counters SET webhook_deliveries = webhook_deliveries + 1 WHERE account_id = ${accountId}`,
  ]);
}

/** Events whose next attempt is due, longest overdue first, as many as one sweep wakes. */
export async function dueEvents({
  database,
  clock,
}: Pick<Dependencies, "database" | "clock">): Promise<string[]> {
  const due = await database.all<{ id: string }>(sql`
    SELECT id FROM webhook_events WHERE next_try_at <= ${clock()} ORDER BY next_try_at LIMIT ${dueMax}`);
  return due.map(({ id }) => id);
}

/** An event is sent again at most this often at a client's request: each time, all its retries begin anew. */
const resendRestMs = 60_000;

/** `waitMs`: how long the client has to wait until it may have the event sent again. */
export type Resent = { readonly eventId: string } | { readonly waitMs: number };

/**
 * Restarts the delivery of a logged attempt's event, due immediately, unless that was done a moment ago. Null if the
 * account has no such log entry.
 */
export async function sendAgain(
  { database, clock }: Pick<Dependencies, "database" | "clock">,
  accountId: string,
  deliveryId: string,
): Promise<Resent | null> {
  const now = clock();
  const isTheEvent = sql`
    id = (SELECT event_id FROM webhook_deliveries WHERE account_id = ${accountId} AND id = ${deliveryId})`;
  const [[resent] = [], [event] = []] = await transact(database, [
    sql`
      UPDATE webhook_events SET tries = 0, next_try_at = ${now}, resent_at = ${now}
      WHERE ${isTheEvent} AND coalesce(resent_at, 0) <= ${now - resendRestMs}
      RETURNING id AS eventId`,
    sql`SELECT resent_at + ${resendRestMs - now} AS waitMs FROM webhook_events WHERE ${isTheEvent}`,
  ]);
  if (resent !== undefined) return z.object({ eventId: z.string() }).parse(resent);
  return event === undefined ? null : z.object({ waitMs: z.int() }).parse(event);
}
