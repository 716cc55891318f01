CREATE TABLE `batches` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`show_url` text,
	`folder` text NOT NULL,
	`webhook_url` text,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	`completed` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `batches_of_shows` ON `batches` (`account_id`,`id`) WHERE show_url IS NOT NULL;--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`account_id` text NOT NULL,
	`key` text NOT NULL,
	`request` text NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`event_id` text NOT NULL,
	`job_id` text,
	`batch_id` text,
	`type` text NOT NULL,
	`try` integer NOT NULL,
	`http_status` integer,
	`error` text,
	`created_at` integer NOT NULL,
	`next_try_at` integer,
	PRIMARY KEY(`account_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_job` ON `webhook_deliveries` (`job_id`,`id`) WHERE job_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_batch` ON `webhook_deliveries` (`batch_id`,`id`) WHERE batch_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`job_id` text,
	`batch_id` text,
	`url` text NOT NULL,
	`created_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_events_subject` ON `webhook_events` (`subject`);--> statement-breakpoint
CREATE INDEX `webhook_events_due` ON `webhook_events` (`next_try_at`) WHERE next_try_at IS NOT NULL;--> statement-breakpoint
DROP INDEX `storage_locations_place`;--> statement-breakpoint
ALTER TABLE `storage_locations` ADD `account_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `storage_locations` ADD `region` text;--> statement-breakpoint
ALTER TABLE `storage_locations` ADD `access_key_id` text;--> statement-breakpoint
ALTER TABLE `storage_locations` ADD `secret_access_key` text;--> statement-breakpoint
ALTER TABLE `storage_locations` ADD `force_path_style` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `storage_locations_place` ON `storage_locations` (`account_id`,`endpoint`,`bucket`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `storage_location_id` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `billing_start` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `webhook_secret` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `previous_webhook_secret` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `previous_webhook_secret_until` integer;--> statement-breakpoint
ALTER TABLE `jobs` ADD `batch_id` text;--> statement-breakpoint
CREATE INDEX `jobs_by_status` ON `jobs` (`account_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_by_url` ON `jobs` (`account_id`,`url`);--> statement-breakpoint
CREATE INDEX `jobs_of_batch` ON `jobs` (`batch_id`,`status`,`id`) WHERE batch_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `account_counters` ADD `period_start` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_counters` ADD `period_storage_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_counters` ADD `webhook_deliveries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `day_counts_day` ON `day_counts` (`day`);