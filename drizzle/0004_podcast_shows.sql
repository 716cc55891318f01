CREATE TABLE `show_drafts` (
	`account_id` text NOT NULL,
	`batch_id` text NOT NULL,
	`first_place` integer NOT NULL,
	`count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`episodes` text NOT NULL,
	PRIMARY KEY(`account_id`, `batch_id`, `first_place`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `batches` ADD `last_released` text;