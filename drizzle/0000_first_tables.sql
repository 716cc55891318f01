CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_name_unique` ON `accounts` (`name`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`prefix` text NOT NULL,
	`account_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `line` (
	`id` integer PRIMARY KEY NOT NULL,
	`claimed_turn` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`url` text NOT NULL,
	`folder` text,
	`filename` text,
	`webhook_url` text,
	`options` text NOT NULL,
	`status` text NOT NULL,
	`step` text NOT NULL,
	`claim` integer DEFAULT 0 NOT NULL,
	`interruptions` integer DEFAULT 0 NOT NULL,
	`publishing` integer DEFAULT false NOT NULL,
	`transition` text NOT NULL,
	`ready_at` integer,
	`turn` integer NOT NULL,
	`node_id` text,
	`created_at` integer NOT NULL,
	`claimed_at` integer,
	`started_at` integer,
	`finished_at` integer,
	`storage_location_id` integer NOT NULL,
	`storage_key` text,
	`upload_id` text,
	`file_size` integer,
	`media` text,
	`sidecars` text,
	`preferred_subtitle` text,
	`timings` text,
	`error` text,
	`error_code` text,
	PRIMARY KEY(`account_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `jobs_in_line` ON `jobs` (`turn`) WHERE status = 'Pending' AND ready_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_in_work` ON `jobs` (`transition`) WHERE status = 'Processing';--> statement-breakpoint
CREATE TABLE `reserved_keys` (
	`location_id` integer NOT NULL,
	`name` text NOT NULL,
	`job_id` text NOT NULL,
	`freed_at` integer,
	PRIMARY KEY(`location_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `storage_locations` (
	`id` integer PRIMARY KEY NOT NULL,
	`endpoint` text NOT NULL,
	`bucket` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `storage_locations_place` ON `storage_locations` (`endpoint`,`bucket`);--> statement-breakpoint
CREATE TABLE `account_counters` (
	`account_id` text PRIMARY KEY NOT NULL,
	`jobs_created` integer DEFAULT 0 NOT NULL,
	`storage_bytes` integer DEFAULT 0 NOT NULL,
	`pending` integer DEFAULT 0 NOT NULL,
	`processing` integer DEFAULT 0 NOT NULL,
	`completed` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`last_turn` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `day_counts` (
	`account_id` text NOT NULL,
	`day` text NOT NULL,
	`completed` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `day`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `line` (`id`, `claimed_turn`) VALUES (1, 0);
