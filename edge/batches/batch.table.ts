import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const batchStatuses = ["processing", "completed", "finished"] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** Jobs created together. The counts change in the transaction that ends a job. */
export const batches = sqliteTable(
  "batches",
  {
    accountId: text("account_id").notNull(),
    id: text("id").notNull(),
    /** Null: a bulk request's. */
    showUrl: text("show_url"),
    folder: text("folder").notNull(),
    webhookUrl: text("webhook_url"),
    status: text("status").notNull().$type<BatchStatus>(),
    total: integer("total").notNull(),
    completed: integer("completed").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    /** How many of the counted jobs have had their records trimmed; the batch is deleted along with its last one. */
    trimmedCompleted: integer("trimmed_completed").notNull().default(0),
    trimmedFailed: integer("trimmed_failed").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** The last of a show's jobs that was let into the queue, later ones being held back; null: a bulk request's. */
    lastReleased: text("last_released"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("batches_of_shows")
      .on(table.accountId, table.id)
      .where(sql`show_url IS NOT NULL`),
  ],
);
