import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How far the trimming of old records has come, in its only row. It passes through all accounts, then starts over. */
export const trimming = sqliteTable("trimming", {
  id: integer("id").primaryKey(),
  /** The current account. */
  accountId: text("account_id").notNull().default(""),
  /** The last job of that account that was looked at. */
  through: text("through").notNull().default(""),
  /** When it continues; ms. */
  nextAt: integer("next_at").notNull().default(0),
});
