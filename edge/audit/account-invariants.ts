import { clockSkewMs, type Invariant } from "./invariant.ts";

/** Bytes that a completed job counts towards storage usage. */
const storedBytes = `coalesce(jobs.file_size, 0)
  + (SELECT coalesce(sum(value ->> 'bytes'), 0) FROM json_each(coalesce(jobs.sidecars, '[]')))`;

/** What an account's counters have to equal. `firstDay`: as for `invariants`. */
export function accountInvariants(firstDay: string): Invariant[] {
  return [
    {
      name: "accounts",
      sentence: "All jobs belong to an account, and every account has its counters",
      query: `
        SELECT DISTINCT account_id, account_id AS subject, 'jobs of no account' AS detail FROM jobs
        WHERE account_id NOT IN (SELECT id FROM accounts)
        UNION ALL
        SELECT id, id, 'no counters' FROM accounts WHERE id NOT IN (SELECT account_id FROM account_counters)`,
    },
    {
      name: "usage",
      sentence: "Usage equals the jobs accepted, including trimmed ones",
      query: `
        SELECT account_id, account_id AS subject, jobs_created || ' counted, ' || found || ' jobs' AS detail
        FROM (
          SELECT account_id, jobs_created,
            trimmed_jobs + (SELECT count(*) FROM jobs WHERE jobs.account_id = account_counters.account_id) AS found
          FROM account_counters)
        WHERE jobs_created <> found`,
    },
    {
      name: "status_counts",
      sentence: "The counts by status equal the jobs of that status",
      query: `
        SELECT account_id, account_id AS subject, counted || ' counted, jobs: ' || found AS detail
        FROM (
          SELECT account_counters.account_id,
            pending || '/' || processing || '/' || completed || '/' || failed AS counted,
            coalesce(sum(status = 'Pending'), 0) || '/' || coalesce(sum(status = 'Processing'), 0) || '/'
              || coalesce(sum(status = 'Completed'), 0) || '/' || coalesce(sum(status = 'Failed'), 0) AS found
          FROM account_counters LEFT JOIN jobs ON jobs.account_id = account_counters.account_id
          GROUP BY account_counters.account_id)
        WHERE counted <> found`,
    },
    {
      name: "storage_bytes",
      sentence: "Storage usage equals the bytes of all completions, including deleted files and trimmed jobs",
      query: `
        SELECT account_id, account_id AS subject, storage_bytes || ' counted, ' || found || ' stored' AS detail
        FROM (
          SELECT account_id, storage_bytes, trimmed_bytes + (
            SELECT coalesce(sum(${storedBytes}), 0) FROM jobs
            WHERE jobs.account_id = account_counters.account_id AND status = 'Completed') AS found
          FROM account_counters)
        WHERE storage_bytes <> found`,
    },
    {
      name: "period_bytes",
      // No row says which of the trimmed jobs ended in a period that began before the latest of them ended.
      sentence: "The billing period's usage equals the bytes of its completions",
      query: `
        SELECT account_id, account_id AS subject,
          period_storage_bytes || ' counted, ' || at_least || ' stored' AS detail
        FROM (
          SELECT account_counters.account_id, period_storage_bytes,
            coalesce(sum(CASE WHEN finished_at >= period_start THEN ${storedBytes} END), 0)
              + CASE period_start WHEN 0 THEN trimmed_bytes ELSE 0 END AS at_least,
            coalesce(sum(${storedBytes}), 0)
              + CASE WHEN trimmed_through >= period_start - ${clockSkewMs} THEN trimmed_bytes ELSE 0 END AS at_most
          FROM account_counters LEFT JOIN jobs ON jobs.account_id = account_counters.account_id
            AND status = 'Completed' AND finished_at >= period_start - ${clockSkewMs}
          GROUP BY account_counters.account_id)
        WHERE period_storage_bytes NOT BETWEEN at_least AND at_most`,
    },
    {
      name: "day_counts",
      sentence:
        "The counts of each day since the latest trimmed job equal the jobs that ended on it, except cancelled ones",
      query: `
        SELECT account_id, day AS subject,
          sum(counted_completed) || '/' || sum(counted_failed) || ' counted, jobs: '
            || sum(completed) || '/' || sum(failed) AS detail
        FROM (
          SELECT account_id, day, completed AS counted_completed, failed AS counted_failed, 0 AS completed, 0 AS failed
          FROM day_counts WHERE day >= '${firstDay}'
          UNION ALL
          SELECT account_id, date(finished_at / 1000, 'unixepoch'), 0, 0, status = 'Completed', status = 'Failed'
          FROM jobs
          WHERE finished_at >= unixepoch('${firstDay}') * 1000 AND error_code IS NOT 'cancelled')
        JOIN (SELECT account_id, trimmed_through FROM account_counters) USING (account_id)
        WHERE day > date(trimmed_through / 1000, 'unixepoch')
        GROUP BY account_id, day
        HAVING sum(counted_completed) <> sum(completed) OR sum(counted_failed) <> sum(failed)`,
    },
    {
      name: "delivery_counts",
      sentence: "The count of webhook attempts equals the log",
      query: `
        SELECT account_id, account_id AS subject, webhook_deliveries || ' counted, ' || found || ' logged' AS detail
        FROM (
          SELECT account_id, webhook_deliveries, (
            SELECT count(*) FROM webhook_deliveries AS log WHERE log.account_id = account_counters.account_id) AS found
          FROM account_counters)
        WHERE webhook_deliveries <> found`,
    },
  ];
}
