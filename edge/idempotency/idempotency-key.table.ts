import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A request that was answered with 200, kept for a day so that its repetition gets the same response. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    accountId: text("account_id").notNull(),
    key: text("key").notNull(),
    /** Hex SHA-256 of method, path and the parsed body. */
    request: text("request").notNull(),
    /** The response body, JSON. */
    answer: text("answer").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.key] }),
    index("idempotency_keys_age").on(table.createdAt),
  ],
);
