import { episodesAtOnce } from "../batches/episodes-at-once.ts";
import type { Invariant } from "./invariant.ts";

/** What jobs and their batches have to satisfy in each state. */
export const jobInvariants: readonly Invariant[] = [
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
    sentence: "Every waiting job is queued, except a show's jobs that are held back",
    query: `
      SELECT account_id, id AS subject, 'never due' AS detail FROM jobs
      WHERE status = 'Pending' AND ready_at IS NULL AND batch_id IS NULL
      UNION ALL
      SELECT account_id, batch_id, released || ' of ' || unfinished || ' unfinished jobs are queued or running'
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
    name: "queued_turns",
    sentence:
      "An account has the smallest turn of its queued jobs, without which none of them would be claimed",
    query: `
      SELECT account_id, account_id AS subject, coalesce(queued_turn, 'none') || ' instead of ' || coalesce(found, 'none') AS detail
      FROM (
        SELECT account_counters.account_id, queued_turn, min(turn) AS found
        FROM account_counters LEFT JOIN jobs ON jobs.account_id = account_counters.account_id
          AND status = 'Pending' AND ready_at IS NOT NULL
        GROUP BY account_counters.account_id)
      WHERE queued_turn IS NOT found`,
  },
  {
    name: "events",
    // An event is written together with the end it reports: a job that ended again would show another time.
    sentence:
      "A job or batch with a webhook has exactly one event once it has ended, of the right type and of that end",
    query: `
      SELECT account_id, subject,
        coalesce(type || ' of ' || coalesce(reported_at, '?'), 'no event') || ' instead of '
          || coalesce(owed || ' of ' || coalesce(ended_at, '?'), 'none') AS detail
      FROM (
        SELECT coalesce(ends.account_id, event.account_id) AS account_id,
          coalesce(ends.subject, event.subject) AS subject, event.type, event.created_at AS reported_at, ends.owed,
          ends.ended_at
        FROM (
          SELECT account_id, id AS subject,
            CASE status WHEN 'Completed' THEN 'job_completed' ELSE 'job_failed' END AS owed, finished_at AS ended_at
          FROM jobs WHERE status IN ('Completed', 'Failed') AND batch_id IS NULL AND webhook_url IS NOT NULL
          UNION ALL
          SELECT account_id, id, 'batch_completed', NULL FROM batches
          WHERE status <> 'processing' AND webhook_url IS NOT NULL
        ) AS ends
        FULL JOIN webhook_events AS event ON event.account_id = ends.account_id AND event.subject = ends.subject)
      WHERE type IS NOT owed OR reported_at <> ended_at`,
  },
  {
    name: "waiting_jobs",
    sentence: "A waiting job is at step Queued and has no node",
    query: `
      SELECT account_id, id AS subject, step || ', publishing ' || publishing AS detail FROM jobs
      WHERE status = 'Pending'
        AND (step <> 'Queued' OR publishing OR node_id IS NOT NULL OR finished_at IS NOT NULL)`,
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
    name: "drafts",
    sentence: "A show whose jobs exist has no drafts left",
    query: `
      SELECT show_drafts.account_id, batch_id AS subject, count(*) || ' rows of drafts' AS detail
      FROM show_drafts JOIN batches ON batches.account_id = show_drafts.account_id AND batches.id = batch_id
      GROUP BY show_drafts.account_id, batch_id`,
  },
];
