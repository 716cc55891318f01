import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A bucket that files lie in, made once and never changed. */
export const storageLocations = sqliteTable(
  "storage_locations",
  {
    id: integer("id").primaryKey(),
    endpoint: text("endpoint").notNull(),
    bucket: text("bucket").notNull(),
  },
  (table) => [uniqueIndex("storage_locations_place").on(table.endpoint, table.bucket)],
);

/**
 * Who holds which file name in a location. Written before the upload, freed when the job fails or its file is deleted;
 * a freed name rests before it is given out again.
 */
export const reservedKeys = sqliteTable(
  "reserved_keys",
  {
    locationId: integer("location_id").notNull(),
    /** `<account id>/<storage key>` in managed storage, where names are apart per account. */
    name: text("name").notNull(),
    jobId: text("job_id").notNull(),
    /** Null while the name is held. */
    freedAt: integer("freed_at"),
  },
  (table) => [primaryKey({ columns: [table.locationId, table.name] })],
);
