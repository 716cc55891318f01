CREATE TABLE `trimming` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` text DEFAULT '' NOT NULL,
	`through` text DEFAULT '' NOT NULL,
	`next_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `batches` ADD `trimmed_completed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `batches` ADD `trimmed_failed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_counters` ADD `trimmed_jobs` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_counters` ADD `trimmed_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_counters` ADD `trimmed_through` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `reserved_keys_freed` ON `reserved_keys` (`freed_at`) WHERE freed_at IS NOT NULL;--> statement-breakpoint
INSERT INTO `trimming` (`id`) VALUES (1);
