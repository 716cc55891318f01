export * from "./accounts/account.table.ts";
export * from "./batches/batch.table.ts";
export * from "./dispatch/line.table.ts";
export * from "./idempotency/idempotency-key.table.ts";
export * from "./jobs/job.table.ts";
export * from "./storage/storage.table.ts";
export * from "./usage/account-counter.table.ts";
export * from "./webhooks/webhook.table.ts";
