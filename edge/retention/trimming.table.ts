import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How far the trimming of old records has come, in its one row. It goes through all accounts, and then begins anew. */
export const trimming = sqliteTable("trimming", {
  id: integer("id").primaryKey(),
  /** The account that it is at. */
  accountId: text("account_id").notNull().default(""),
  /** The last of that account's jobs that were looked at. */
  through: text("through").notNull().default(""),
  /** When it goes on; ms. */
  nextAt: integer("next_at").notNull().default(0),
});
