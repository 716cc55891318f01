ALTER TABLE `line` ADD `slots` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_counters` ADD `queued_turn` integer;--> statement-breakpoint
ALTER TABLE `account_counters` ADD `running_limit` integer;--> statement-breakpoint
ALTER TABLE `account_counters` ADD `pending_limit` integer DEFAULT 100000;--> statement-breakpoint
CREATE INDEX `account_counters_waiting` ON `account_counters` (`processing`,`queued_turn`) WHERE queued_turn IS NOT NULL AND (running_limit IS NULL OR processing < running_limit);--> statement-breakpoint
CREATE INDEX `account_counters_unqueued` ON `account_counters` (`account_id`) WHERE pending > 0 AND queued_turn IS NULL;--> statement-breakpoint
CREATE INDEX `jobs_queued` ON `jobs` (`account_id`,`turn`) WHERE status = 'Pending' AND ready_at IS NOT NULL;--> statement-breakpoint
UPDATE `account_counters` SET `queued_turn` = (SELECT min(`turn`) FROM `jobs` WHERE `jobs`.`account_id` = `account_counters`.`account_id` AND status = 'Pending' AND ready_at IS NOT NULL) WHERE `pending` > 0;
