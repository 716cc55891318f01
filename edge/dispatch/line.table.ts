import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** What all waiting jobs have in common, in one row. */
export const line = sqliteTable("line", {
  id: integer("id").primaryKey(),
  /** The largest turn ever claimed, which is where new flows join. */
  claimedTurn: integer("claimed_turn").notNull(),
  /** Slots of all live nodes, free or taken. Written by the registry when it changes; 0 while it is not known. */
  slots: integer("slots").notNull().default(0),
});
