import type { Invariant } from "./invariant.ts";

/** Names that jobs hold in their locations: those of their files and of possible sidecars. */
const heldNames = `
  SELECT account_id, id, storage_location_id, account_id || '/' || storage_key AS name FROM jobs
  WHERE status <> 'Failed' AND storage_key IS NOT NULL
  UNION ALL
  SELECT account_id, jobs.id, storage_location_id,
    account_id || '/' || rtrim(storage_key, replace(storage_key, '.', '')) || suffix.value
  FROM jobs CROSS JOIN json_each(coalesce(sidecar_suffixes, '[]')) AS suffix
  WHERE status <> 'Failed' AND storage_key IS NOT NULL`;

/** Keys under which jobs show files, or may store theirs. */
const neededKeys = `
  SELECT account_id, id, storage_location_id, storage_key FROM jobs WHERE status <> 'Failed' AND storage_key IS NOT NULL
  UNION ALL
  SELECT account_id, jobs.id, storage_location_id, sidecar.value ->> 'storage_key'
  FROM jobs CROSS JOIN json_each(coalesce(sidecars, '[]')) AS sidecar
  WHERE status = 'Completed' AND storage_key IS NOT NULL`;

/** What the names, left files and credentials of storage locations have to satisfy. */
export const storageInvariants: readonly Invariant[] = [
  {
    name: "keys",
    // A custom bucket may be the location of several accounts, and then its keys are those of all of them.
    sentence: "No two live files in a bucket share a name",
    query: `
      SELECT min(account_id) AS account_id, name AS subject, 'of jobs ' || group_concat(id) AS detail
      FROM (
        SELECT own.account_id, own.id, location.account_id = '' AS is_managed, endpoint, bucket,
          CASE location.account_id WHEN '' THEN name ELSE substr(name, length(own.account_id) + 2) END AS name
        FROM (${heldNames}) AS own JOIN storage_locations AS location ON location.id = storage_location_id)
      GROUP BY is_managed, endpoint, bucket, name HAVING count(*) > 1`,
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
    sentence: "Nothing that a job shows or is going to store is recorded for deletion",
    query: `
      SELECT left_files.account_id, left_files.storage_key AS subject, 'needed by job ' || needed.id AS detail
      FROM left_files JOIN (${neededKeys}) AS needed
        ON needed.account_id = left_files.account_id AND needed.id = left_files.job_id
          AND needed.storage_location_id = left_files.location_id AND needed.storage_key = left_files.storage_key`,
  },
  {
    name: "upload_owners",
    sentence: "An upload belongs to one unfinished job or is recorded to be aborted, never both",
    query: `
      SELECT min(account_id) AS account_id, upload_id AS subject, 'of jobs ' || group_concat(job_id) AS detail
      FROM (
        SELECT account_id, id AS job_id, storage_location_id AS location_id, upload_id FROM jobs
        WHERE status IN ('Pending', 'Processing')
        UNION ALL
        SELECT account_id, job_id, location_id, upload_id FROM left_files)
      WHERE upload_id IS NOT NULL GROUP BY location_id, upload_id HAVING count(*) > 1`,
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
];
