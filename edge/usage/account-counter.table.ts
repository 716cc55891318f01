import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What an account's pages show, updated in the transaction of the job that changes it. One row per account. */
export const accountCounters = sqliteTable("account_counters", {
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
  /** Largest turn given to one of the account's single jobs: the end of that flow's queue. */
  lastTurn: integer("last_turn").notNull().default(0),
});

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
