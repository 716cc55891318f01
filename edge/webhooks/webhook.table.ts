import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const webhookTypes = ["job_completed", "job_failed", "batch_completed"] as const;
export type WebhookType = (typeof webhookTypes)[number];

/**
 * Something a client asked to be notified of, created in the transaction that made it happen, once per subject. `id` is
 * the `webhook-id` of all its deliveries.
 */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    type: text("type").notNull().$type<WebhookType>(),
    /** The job or batch that ended. */
    subject: text("subject").notNull(),
    jobId: text("job_id"),
    batchId: text("batch_id"),
    url: text("url").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Attempts of the current delivery so far; a redelivery starts again at 0. */
    tries: integer("tries").notNull().default(0),
    /** When a client last had it sent again, ms; null: never. */
    resentAt: integer("resent_at"),
    /** When the next attempt is due; null when the delivery has ended, successfully or not. */
    nextTryAt: integer("next_try_at"),
  },
  (table) => [
    uniqueIndex("webhook_events_subject").on(table.subject),
    index("webhook_events_due")
      .on(table.nextTryAt)
      .where(sql`next_try_at IS NOT NULL`),
  ],
);

/** The log of attempts, newest last by id (v7). */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    accountId: text("account_id").notNull(),
    id: text("id").notNull(),
    eventId: text("event_id").notNull(),
    jobId: text("job_id"),
    batchId: text("batch_id"),
    type: text("type").notNull().$type<WebhookType>(),
    try: integer("try").notNull(),
    httpStatus: integer("http_status"),
    error: text("error"),
    createdAt: integer("created_at").notNull(),
    nextTryAt: integer("next_try_at"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhook_deliveries_of_job")
      .on(table.jobId, table.id)
      .where(sql`job_id IS NOT NULL`),
    index("webhook_deliveries_of_batch")
      .on(table.batchId, table.id)
      .where(sql`batch_id IS NOT NULL`),
  ],
);
