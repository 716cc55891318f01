import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Episodes of a show that is still being read, some hundreds per row. All its jobs are created from them at once, in
 * the transaction that deletes these rows. Written by whoever reads the show; if they die, the rows are useless and the
 * sweep deletes them.
 */
export const showDrafts = sqliteTable(
  "show_drafts",
  {
    accountId: text("account_id").notNull(),
    batchId: text("batch_id").notNull(),
    /** Position in the feed of its first episode, from 0. */
    firstPlace: integer("first_place").notNull(),
    /** How many episodes it has. */
    count: integer("count").notNull(),
    createdAt: integer("created_at").notNull(),
    /** JSON: a list of `{id, url, filename}`. The last column, so that looking for old rows reads no text. */
    episodes: text("episodes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.batchId, table.firstPlace] })],
);
