import { interruptionsMax } from "../../contracts/limits.ts";
import { episodesAtOnce } from "../batches/episodes-at-once.ts";

/** Something that is true of the database after every transaction. */
export interface Invariant {
  readonly name: string;
  /** What is true, as a sentence. */
  readonly sentence: string;
  /** SQL that returns the violating rows: `account_id`, `subject` (the row that is wrong) and `detail`. */
  readonly query: string;
}

/** Bytes that a completed job counts towards storage usage. */
const storedBytes = `coalesce(jobs.file_size, 0)
  + (SELECT coalesce(sum(value ->> 'bytes'), 0) FROM json_each(coalesce(jobs.sidecars, '[]')))`;

/** Names that jobs hold in their locations: those of their files and of possible sidecars. */
const heldNames = `
  SELECT account_id, id, storage_location_id, account_id || '/' || storage_key AS name FROM jobs
  WHERE status <> 'Failed' AND storage_key IS NOT NULL
  UNION ALL
  SELECT account_id, jobs.id, storage_location_id,
    account_id || '/' || rtrim(storage_key, replace(storage_key, '.', '')) || suffix.value
  FROM jobs CROSS JOIN json_each(coalesce(sidecar_suffixes, '[]')) AS suffix
  WHERE status <> 'Failed' AND storage_key IS NOT NULL`;

/** Keys under which completed jobs show files. */
const shownKeys = `
  SELECT account_id, id, storage_location_id, storage_key FROM jobs WHERE status = 'Completed' AND storage_key IS NOT NULL
  UNION ALL
  SELECT account_id, jobs.id, storage_location_id, sidecar.value ->> 'storage_key'
  FROM jobs CROSS JOIN json_each(coalesce(sidecars, '[]')) AS sidecar
  WHERE status = 'Completed' AND storage_key IS NOT NULL`;

/** For jobs whose times were taken by Workers with different clocks; negligible compared with a month. */
const clockSkewMs = 60_000;

/**
 * Everything about "nothing lost, nothing done twice" that the database alone can prove. `firstDay`: the oldest UTC day
 * (YYYY-MM-DD) whose counts are certain to be kept.
 */
export function invariants(firstDay: string): Invariant[] {
  return [
    {
      name: "accounts",
      sentence: "Whoever has jobs has an account, and every account has its counters",
      query: `
        SELECT DISTINCT account_id, account_id AS subject, 'jobs of no account' AS detail FROM jobs
        WHERE account_id NOT IN (SELECT id FROM accounts)
        UNION ALL
        SELECT id, id, 'no counters' FROM accounts WHERE id NOT IN (SELECT account_id FROM account_counters)`,
    },
    {
      name: "usage",
      sentence: "Usage equals the jobs accepted, trimmed ones included",
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
      sentence: "Storage usage equals the bytes of all completions, deleted files and trimmed jobs included",
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
        "The counts of each day since the latest trimmed job equal the jobs that ended on it, cancelled ones apart",
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
      sentence: "The count of webhook tries equals the log",
      query: `
        SELECT account_id, account_id AS subject, webhook_deliveries || ' counted, ' || found || ' logged' AS detail
        FROM (
          SELECT account_id, webhook_deliveries, (
            SELECT count(*) FROM webhook_deliveries AS log WHERE log.account_id = account_counters.account_id) AS found
          FROM account_counters)
        WHERE webhook_deliveries <> found`,
    },
    {
      name: "batches",
      sentence: "A batch counts each of its jobs that ended once, and ends with the last one",
      query: `
        SELECT account_id, id AS subject,
          status || ' with ' || completed || '+' || failed || ' of ' || total || ', jobs: ' || jobs_completed || '+'
            || jobs_failed || ' of ' || jobs_total || ', trimmed ones included' AS detail
        FROM (
          SELECT batches.account_id, batches.id, batches.status, batches.total, batches.completed, batches.failed,
            trimmed_completed + trimmed_failed + count(jobs.id) AS jobs_total,
            trimmed_completed + coalesce(sum(jobs.status = 'Completed'), 0) AS jobs_completed,
            trimmed_failed + coalesce(sum(jobs.status = 'Failed'), 0) AS jobs_failed
          FROM batches LEFT JOIN jobs ON jobs.batch_id = batches.id AND jobs.account_id = batches.account_id
          GROUP BY batches.account_id, batches.id)
        WHERE total <> jobs_total OR completed <> jobs_completed OR failed <> jobs_failed
          OR status <> CASE
            WHEN jobs_completed + jobs_failed < jobs_total THEN 'processing'
            WHEN jobs_failed > 0 THEN 'finished' ELSE 'completed' END
        UNION ALL
        SELECT account_id, batch_id, 'jobs of no batch' FROM jobs
        WHERE batch_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM batches WHERE batches.account_id = jobs.account_id AND batches.id = jobs.batch_id)
        GROUP BY account_id, batch_id`,
    },
    {
      name: "line",
      sentence: "Every waiting job is in line, but for a show's that wait for a place of its batch",
      query: `
        SELECT account_id, id AS subject, 'never due' AS detail FROM jobs
        WHERE status = 'Pending' AND ready_at IS NULL AND batch_id IS NULL
        UNION ALL
        SELECT account_id, batch_id, released || ' of ' || unfinished || ' unfinished jobs are in line or in work'
        FROM (
          SELECT jobs.account_id, batch_id, count(*) AS unfinished,
            sum(jobs.status = 'Processing' OR ready_at IS NOT NULL) AS released,
            min(count(*), CASE WHEN last_released IS NULL THEN count(*) ELSE ${episodesAtOnce} END) AS allowed
          FROM jobs JOIN batches ON batches.account_id = jobs.account_id AND batches.id = jobs.batch_id
          WHERE jobs.status IN ('Pending', 'Processing')
          GROUP BY jobs.account_id, batch_id)
        WHERE released <> allowed`,
    },
    {
      name: "events",
      sentence: "A job or batch whose end a client asked to be told of has one event, of the right type",
      query: `
        SELECT account_id, subject, coalesce(type, 'no event') || ' instead of ' || coalesce(owed, 'none') AS detail
        FROM (
          SELECT coalesce(ends.account_id, event.account_id) AS account_id,
            coalesce(ends.subject, event.subject) AS subject, event.type, ends.owed
          FROM (
            SELECT account_id, id AS subject,
              CASE status WHEN 'Completed' THEN 'job_completed' ELSE 'job_failed' END AS owed
            FROM jobs WHERE status IN ('Completed', 'Failed') AND batch_id IS NULL AND webhook_url IS NOT NULL
            UNION ALL
            SELECT account_id, id, 'batch_completed' FROM batches
            WHERE status <> 'processing' AND webhook_url IS NOT NULL
          ) AS ends
          FULL JOIN webhook_events AS event ON event.account_id = ends.account_id AND event.subject = ends.subject)
        WHERE type IS NOT owed`,
    },
    {
      name: "waiting_jobs",
      sentence: "A waiting job is queued and nobody's",
      query: `
        SELECT account_id, id AS subject, step || ', publishing ' || publishing AS detail FROM jobs
        WHERE status = 'Pending'
          AND (step <> 'Queued' OR publishing OR node_id IS NOT NULL OR finished_at IS NOT NULL)`,
    },
    {
      name: "jobs_in_work",
      sentence: "A job in work has a claim and a node",
      query: `
        SELECT account_id, id AS subject, step || ', claim ' || claim AS detail FROM jobs
        WHERE status = 'Processing'
          AND (step NOT IN ('Downloading', 'Muxing', 'Uploading') OR claim < 1 OR node_id IS NULL
            OR claimed_at IS NULL OR started_at IS NULL OR ready_at IS NOT NULL OR finished_at IS NOT NULL)`,
    },
    {
      name: "ended_jobs",
      sentence: "An ended job says when and how: a file's facts, or an error",
      query: `
        SELECT account_id, id AS subject, status || ', ' || step AS detail FROM jobs
        WHERE (status IN ('Completed', 'Failed')
            AND (step <> 'Finished' OR finished_at IS NULL OR ready_at IS NOT NULL OR node_id IS NOT NULL))
          OR (status = 'Completed' AND (NOT publishing OR file_size IS NULL OR media IS NULL OR error IS NOT NULL))
          OR (status = 'Failed' AND (publishing OR error IS NULL OR error_code IS NULL))
          OR status NOT IN ('Pending', 'Processing', 'Completed', 'Failed')`,
    },
    {
      name: "interruptions",
      sentence: `A job is interrupted at most ${interruptionsMax} times, each of another claim, and fails with the last`,
      query: `
        SELECT account_id, id AS subject, interruptions || ' interruptions, claim ' || claim || ', ' || status AS detail
        FROM jobs
        WHERE interruptions > claim OR interruptions > ${interruptionsMax}
          OR (interruptions = ${interruptionsMax} AND error_code IS NOT 'interrupted')`,
    },
    {
      name: "keys",
      sentence: "No two live files of a location share a name",
      query: `
        SELECT min(account_id) AS account_id, name AS subject, 'of jobs ' || group_concat(id) AS detail
        FROM (${heldNames}) GROUP BY storage_location_id, name HAVING count(*) > 1`,
    },
    {
      name: "reserved_names",
      sentence: "Each name of a live file is reserved for its job",
      query: `
        SELECT account_id, name AS subject, 'not held for job ' || id AS detail FROM (${heldNames}) AS own
        WHERE NOT EXISTS (
          SELECT 1 FROM reserved_keys AS held
          WHERE held.location_id = own.storage_location_id AND held.name = own.name AND held.job_id = own.id
            AND held.freed_at IS NULL)`,
    },
    {
      name: "left_files",
      sentence: "Nothing that a job shows is noted to be deleted",
      query: `
        SELECT left_files.account_id, left_files.storage_key AS subject, 'shown by job ' || shown.id AS detail
        FROM left_files JOIN (${shownKeys}) AS shown
          ON shown.account_id = left_files.account_id AND shown.id = left_files.job_id
            AND shown.storage_location_id = left_files.location_id AND shown.storage_key = left_files.storage_key`,
    },
    {
      name: "credentials",
      sentence: "The bucket of every unfinished job and of every file shown has its credentials",
      query: `
        SELECT DISTINCT jobs.account_id, storage_locations.bucket AS subject, 'needed by job ' || min(jobs.id) AS detail
        FROM jobs JOIN storage_locations ON storage_locations.id = storage_location_id
        WHERE storage_locations.account_id <> '' AND secret_access_key IS NULL
          AND (status IN ('Pending', 'Processing') OR (status = 'Completed' AND storage_key IS NOT NULL))
        GROUP BY jobs.account_id, storage_locations.id`,
    },
    {
      name: "drafts",
      sentence: "A show whose jobs are made has no draft left",
      query: `
        SELECT show_drafts.account_id, batch_id AS subject, count(*) || ' rows of its draft' AS detail
        FROM show_drafts JOIN batches ON batches.account_id = show_drafts.account_id AND batches.id = batch_id
        GROUP BY show_drafts.account_id, batch_id`,
    },
  ];
}
