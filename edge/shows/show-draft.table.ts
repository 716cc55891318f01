import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Episodes of a show that is still being read, some hundreds a row: what its jobs are made of, all at once, in the
 * transaction that deletes these rows. Whoever reads the show writes them; when it dies they are of no use, and the
 * sweep deletes them.
 */
export const showDrafts = sqliteTable(
  "show_drafts",
  {
    accountId: text("account_id").notNull(),
    batchId: text("batch_id").notNull(),
    /** Place in the feed of the first of its episodes, from 0. */
    firstPlace: integer("first_place").notNull(),
    /** How many there are. */
    count: integer("count").notNull(),
    createdAt: integer("created_at").notNull(),
    /** JSON: a list of `{id, url, filename}`. Last, so that looking for old rows reads no text. */
    episodes: text("episodes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.batchId, table.firstPlace] })],
);
