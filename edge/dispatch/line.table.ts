import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** The queue of waiting jobs. Its only row holds the largest turn ever claimed, which is where new flows join. */
export const line = sqliteTable("line", {
  id: integer("id").primaryKey(),
  claimedTurn: integer("claimed_turn").notNull(),
});
