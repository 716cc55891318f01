import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { EncodingOptions } from "../../contracts/encoding-options.ts";
import type { FailureCode } from "../../contracts/failure.ts";
import type { JobStatus, JobStep } from "../../contracts/job-status.ts";
import type { Media, Sidecar } from "../../contracts/file-facts.ts";
import type { StageTimings } from "../../contracts/report.ts";

/**
 * Every job ever accepted. Each transition writes a fresh random `transition`, which guarded writes compare with the
 * row they read, and on which the counters changed in the same transaction join.
 */
export const jobs = sqliteTable(
  "jobs",
  {
    accountId: text("account_id").notNull(),
    id: text("id").notNull(),
    batchId: text("batch_id"),
    url: text("url").notNull(),
    folder: text("folder"),
    filename: text("filename"),
    webhookUrl: text("webhook_url"),
    options: text("options", { mode: "json" }).notNull().$type<EncodingOptions>(),

    status: text("status").notNull().$type<JobStatus>(),
    step: text("step").notNull().$type<JobStep>(),
    claim: integer("claim").notNull().default(0),
    interruptions: integer("interruptions").notNull().default(0),
    publishing: integer("publishing", { mode: "boolean" }).notNull().default(false),
    transition: text("transition").notNull(),
    /** The largest sequence number of this claim's questions that has changed the row; 0: none. */
    reportSequence: integer("report_sequence").notNull().default(0),

    /** When the job may be claimed, in ms; null while it is held back. */
    readyAt: integer("ready_at"),
    /** Its position in the queue: due jobs with the lowest turn are claimed first. */
    turn: integer("turn").notNull(),
    /** The node that holds it; null unless Processing. */
    nodeId: text("node_id"),

    createdAt: integer("created_at").notNull(),
    claimedAt: integer("claimed_at"),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),

    storageLocationId: integer("storage_location_id").notNull(),
    /** Reserved before the upload, shown once Completed, null again after the file is deleted. */
    storageKey: text("storage_key"),
    /**
     * Suffixes of the keys reserved along with it, such as `en.vtt`; null: none. Those in storage are in `sidecars`.
     */
    sidecarSuffixes: text("sidecar_suffixes", { mode: "json" }).$type<string[]>(),
    /** Of the latest attempt, so that the next one can abort it. */
    uploadId: text("upload_id"),
    fileSize: integer("file_size"),
    media: text("media", { mode: "json" }).$type<Media>(),
    sidecars: text("sidecars", { mode: "json" }).$type<Sidecar[]>(),
    preferredSubtitle: text("preferred_subtitle"),
    timings: text("timings", { mode: "json" }).$type<StageTimings>(),
    error: text("error"),
    errorCode: text("error_code").$type<FailureCode>(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("jobs_by_status").on(table.accountId, table.status, table.id),
    index("jobs_by_url").on(table.accountId, table.url),
    index("jobs_of_batch")
      .on(table.batchId, table.status, table.id)
      .where(sql`batch_id IS NOT NULL`),
    index("jobs_queued")
      .on(table.accountId, table.turn)
      .where(sql`status = 'Pending' AND ready_at IS NOT NULL`),
    // Edges of the previous version claim by it; without any of those left it can go.
    index("jobs_in_line")
      .on(table.turn)
      .where(sql`status = 'Pending' AND ready_at IS NOT NULL`),
    index("jobs_in_work")
      .on(table.transition)
      .where(sql`status = 'Processing'`),
  ],
);
