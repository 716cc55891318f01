ALTER TABLE `accounts` ADD `previous_webhook_secrets` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `accounts` SET `previous_webhook_secrets` = json_array(json_object('secret', `previous_webhook_secret`, 'until', `previous_webhook_secret_until`)) WHERE `previous_webhook_secret` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` DROP COLUMN `previous_webhook_secret`;--> statement-breakpoint
ALTER TABLE `accounts` DROP COLUMN `previous_webhook_secret_until`;--> statement-breakpoint
ALTER TABLE `storage_locations` ADD `check_at` integer;--> statement-breakpoint
ALTER TABLE `storage_locations` ADD `checked_through` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `storage_locations_to_check` ON `storage_locations` (`check_at`) WHERE check_at IS NOT NULL;--> statement-breakpoint
UPDATE `storage_locations` SET `check_at` = 0 WHERE `account_id` <> '' AND `id` NOT IN (SELECT `storage_location_id` FROM `accounts` WHERE `storage_location_id` IS NOT NULL);
