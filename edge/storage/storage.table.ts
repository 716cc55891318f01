import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Account of the managed bucket's row. */
export const managedAccountId = "";

/**
 * A bucket that holds files. Its endpoint and name never change. Its credentials are the latest that its account gave,
 * so that rotated keys serve old files, and are erased once nothing can need them. The managed bucket's are in the
 * settings, not here.
 */
export const storageLocations = sqliteTable(
  "storage_locations",
  {
    id: integer("id").primaryKey(),
    accountId: text("account_id").notNull().default(managedAccountId),
    endpoint: text("endpoint").notNull(),
    bucket: text("bucket").notNull(),
    region: text("region"),
    accessKeyId: text("access_key_id"),
    /** AES-256-GCM, with the id of its key. */
    secretAccessKey: text("secret_access_key"),
    forcePathStyle: integer("force_path_style", { mode: "boolean" }),
    /** When to check whether any job still needs the credentials; null while new jobs use them, and once erased. */
    checkAt: integer("check_at"),
    /** No job of the account before this id needs them. */
    checkedThrough: text("checked_through").notNull().default(""),
  },
  (table) => [
    uniqueIndex("storage_locations_place").on(table.accountId, table.endpoint, table.bucket),
    index("storage_locations_bucket").on(table.endpoint, table.bucket),
    index("storage_locations_to_check")
      .on(table.checkAt)
      .where(sql`check_at IS NOT NULL`),
  ],
);

/**
 * Who holds which name of a file or sidecar in a location. In a bucket that several accounts have configured, a name
 * held by any of them is taken for all. Written before the upload, released when the job fails or its file is deleted.
 * A released name stays unused for a while, after which its row is deleted.
 */
export const reservedKeys = sqliteTable(
  "reserved_keys",
  {
    locationId: integer("location_id").notNull(),
    /** `<account id>/<storage key>`: names are separate per account. */
    name: text("name").notNull(),
    jobId: text("job_id").notNull(),
    /** Null while the name is held. */
    freedAt: integer("freed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.locationId, table.name] }),
    index("reserved_keys_freed")
      .on(table.freedAt)
      .where(sql`freed_at IS NOT NULL`),
  ],
);

/**
 * What may be in storage under a key although no job shows it: objects of jobs that failed after an attempt was allowed
 * to publish, and of attempts that were replaced by another; and the multipart upload that a lost attempt had started.
 * Written in the transaction that leaves them behind, removed once they are known to be gone for good; if the sweep
 * dies in between, it repeats the work.
 */
export const leftFiles = sqliteTable(
  "left_files",
  {
    accountId: text("account_id").notNull(),
    jobId: text("job_id").notNull(),
    storageKey: text("storage_key").notNull(),
    locationId: integer("location_id").notNull(),
    /** The upload to abort; null: none was started under this key, or the next attempt has aborted it. */
    uploadId: text("upload_id"),
    leftAt: integer("left_at").notNull(),
    /** When to try to delete the object next. */
    tryAt: integer("try_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.jobId, table.storageKey] }),
    index("left_files_due").on(table.tryAt),
  ],
);
