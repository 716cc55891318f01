CREATE TABLE `left_files` (
	`account_id` text NOT NULL,
	`job_id` text NOT NULL,
	`storage_key` text NOT NULL,
	`location_id` integer NOT NULL,
	`left_at` integer NOT NULL,
	`try_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `job_id`, `storage_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `left_files_due` ON `left_files` (`try_at`);--> statement-breakpoint
ALTER TABLE `jobs` ADD `sidecar_suffixes` text;
