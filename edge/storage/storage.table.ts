import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Account of the managed bucket's row. */
export const managedAccountId = "";

/**
 * A bucket that files lie in. Its place never changes; its credentials are the newest that its account gave, so that
 * rotated keys serve old files, and erased once nothing can need them. The managed bucket's are in the settings, not here.
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
    /** When to look whether any job still needs the credentials; null while new jobs use them, and once erased. */
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
 * Who holds which name of a file, or of what lies beside one, in a location; in a bucket that several accounts have
 * configured a name that any of them holds is taken for all. Written before the upload, freed when the
 * job fails or its file is deleted; a freed name rests before it is given out again, and its row is deleted then.
 */
export const reservedKeys = sqliteTable(
  "reserved_keys",
  {
    locationId: integer("location_id").notNull(),
    /** `<account id>/<storage key>`: names are apart per account. */
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
 * What may lie in storage under a key though no job shows it: objects of jobs that failed after an attempt was allowed to
 * publish, and of attempts whose place another took; and the multipart upload that a lost attempt had begun. Written in
 * the transaction that leaves them, removed once they are known to be gone and to stay so: who dies in between has it done
 * again.
 */
export const leftFiles = sqliteTable(
  "left_files",
  {
    accountId: text("account_id").notNull(),
    jobId: text("job_id").notNull(),
    storageKey: text("storage_key").notNull(),
    locationId: integer("location_id").notNull(),
    /** Of the upload to abort; null: none was begun under this key, or the next attempt has aborted it. */
    uploadId: text("upload_id"),
    leftAt: integer("left_at").notNull(),
    /** When the object is next to be deleted. */
    tryAt: integer("try_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.jobId, table.storageKey] }),
    index("left_files_due").on(table.tryAt),
  ],
);
