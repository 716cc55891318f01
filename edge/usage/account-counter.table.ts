import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Jobs an account may have waiting unless its operator says otherwise. */
export const defaultPendingLimit = 100_000;

/**
 * What an account's pages show and what its jobs are queued by, updated in the transaction of the job that changes it.
 * The limits are beside the counts that they limit, so that one row decides. One row per account.
 */
export const accountCounters = sqliteTable(
  "account_counters",
  {
    accountId: text("account_id").primaryKey(),
    /** Jobs ever created, including retries. */
    jobsCreated: integer("jobs_created").notNull().default(0),
    /** Bytes ever stored; deletions do not reduce it. */
    storageBytes: integer("storage_bytes").notNull().default(0),
    pending: integer("pending").notNull().default(0),
    processing: integer("processing").notNull().default(0),
    completed: integer("completed").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    /** The billing period that `periodStorageBytes` belongs to, by its start in ms; 0 before the first file. */
    periodStart: integer("period_start").notNull().default(0),
    periodStorageBytes: integer("period_storage_bytes").notNull().default(0),
    /** Webhook attempts in the log. */
    webhookDeliveries: integer("webhook_deliveries").notNull().default(0),
    /** Of jobs whose records were trimmed: how many, the bytes they had stored, and when the latest of them ended. */
    trimmedJobs: integer("trimmed_jobs").notNull().default(0),
    trimmedBytes: integer("trimmed_bytes").notNull().default(0),
    trimmedThrough: integer("trimmed_through").notNull().default(0),
    /** Largest turn given to one of the account's jobs outside of shows: the end of that flow's queue. */
    lastTurn: integer("last_turn").notNull().default(0),
    /** Smallest turn of the account's queued jobs; null: none is queued. */
    queuedTurn: integer("queued_turn"),
    /** How many of its jobs may run at a time; null: as many as there are slots to share. */
    runningLimit: integer("running_limit"),
    /** Once this many of its jobs are waiting, no more are accepted; null: no limit. */
    pendingLimit: integer("pending_limit").default(defaultPendingLimit),
  },
  (table) => [
    // The accounts that may be given a slot, in the order in which they are.
    index("account_counters_waiting")
      .on(table.processing, table.queuedTurn)
      .where(sql`queued_turn IS NOT NULL AND (running_limit IS NULL OR processing < running_limit)`),
    // Almost empty: only shows whose released jobs are all running, and what an edge of the previous version has queued.
    index("account_counters_unqueued")
      .on(table.accountId)
      .where(sql`pending > 0 AND queued_turn IS NULL`),
  ],
);

/** Jobs that ended on a UTC day, except cancelled ones. */
export const dayCounts = sqliteTable(
  "day_counts",
  {
    accountId: text("account_id").notNull(),
    /** YYYY-MM-DD. */
    day: text("day").notNull(),
    completed: integer("completed").notNull().default(0),
    failed: integer("failed").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.day] }),
    // Finds old days without reading the others.
    index("day_counts_day").on(table.day),
  ],
);
