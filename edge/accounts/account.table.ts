import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const accounts = sqliteTable("accounts", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  createdAt: integer("created_at").notNull(),
  /** Where the files of new jobs are stored; null: managed storage. */
  storageLocationId: integer("storage_location_id"),
  /** Anchor of the monthly billing periods, ms; null: billing is not enabled. */
  billingStart: integer("billing_start"),
  /** Encrypted; null until first requested or used. */
  webhookSecret: text("webhook_secret"),
  /** Previous secrets, newest first, each encrypted; each one also signs until its `until`, in ms. */
  previousWebhookSecrets: text("previous_webhook_secrets", { mode: "json" })
    .notNull()
    .default([])
    .$type<{ secret: string; until: number }[]>(),
});

/** Keys themselves are never stored: `hash` is the hex SHA-256, `prefix` the first 8 characters for display. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    hash: text("hash").primaryKey(),
    prefix: text("prefix").notNull(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    createdAt: integer("created_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("api_keys_account").on(table.accountId)],
);
