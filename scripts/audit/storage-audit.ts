import { managedAccountId } from "../../edge/storage/storage.table.ts";
import { objectKeyOf } from "../../edge/storage/object-key.ts";
import { sql } from "../accounts/sql.ts";
import type { Database, Row } from "../local-system/database.ts";
import type { Finding, WrongRow } from "./findings.ts";
import type { ManagedBucket, OpenUpload } from "./managed-bucket.ts";

/** A file that a completed job shows. */
interface ShownFile {
  readonly accountId: string;
  readonly jobId: string;
  readonly storageKey: string;
  readonly bytes: number;
}

const jobsAtOnce = 2000;
const lookUpsAtOnce = 16;
/** A node reports its upload before sending the first part: an older one that no job knows belongs to nobody. */
const untoldUploadMs = 10 * 60_000;

/**
 * Compares the managed bucket with the jobs: each file that a job shows exists, and no upload is open that no job
 * needs. Files in clients' own buckets are not checked. `now`: ms; `say` is told about the progress.
 */
export async function auditStorage(
  database: Database,
  bucket: ManagedBucket,
  { now, say }: { now: number; say: (line: string) => void },
): Promise<Finding[]> {
  const files = await auditFiles(database, bucket, say);
  const uploads = await auditUploads(database, bucket, now);
  if (uploads === null) say("This storage cannot list open uploads.");
  return uploads === null ? [files] : [files, uploads];
}

async function auditFiles(
  database: Database,
  bucket: ManagedBucket,
  say: (line: string) => void,
): Promise<Finding> {
  const suspected: (WrongRow & { readonly jobId: string })[] = [];
  let looked = 0;
  for (let after = ""; ;) {
    const [rows = []] = await database.execute([shownFilesAfter(after)]);
    const files = rows.map(shownFileOf);
    const queue = files.values();
    const lookUps = Array.from({ length: lookUpsAtOnce }, async () => {
      for (const file of queue) {
        const detail = await problemOf(bucket, file);
        if (detail !== null)
          suspected.push({ accountId: file.accountId, jobId: file.jobId, subject: file.storageKey, detail });
      }
    });
    await Promise.all(lookUps);
    const last = files.at(-1);
    if (last === undefined) break;
    looked += files.length;
    say(`${looked} files checked in storage`);
    after = last.jobId;
  }
  const stillShown = await jobsThatShowFiles(
    database,
    suspected.map(({ jobId }) => jobId),
  );
  return {
    name: "files",
    sentence: "Files of completed jobs are in managed storage, with their size and their job",
    rows: suspected.filter(({ jobId }) => stillShown.has(jobId)),
    hasMore: false,
  };
}

/** The files of some jobs in order of their ids, after the given id; all files of a job come together. */
function shownFilesAfter(jobId: string): string {
  return sql`
    WITH shown AS (
      SELECT jobs.account_id, jobs.id, storage_key, file_size, coalesce(sidecars, '[]') AS sidecars FROM jobs
      JOIN storage_locations AS location ON location.id = storage_location_id
      WHERE location.account_id = ${managedAccountId} AND status = 'Completed' AND storage_key IS NOT NULL
        AND jobs.id > ${jobId}
      ORDER BY jobs.id LIMIT ${jobsAtOnce})
    SELECT account_id, id, storage_key, file_size AS bytes FROM shown
    UNION ALL
    SELECT account_id, shown.id, value ->> 'storage_key', value ->> 'bytes' FROM shown CROSS JOIN json_each(sidecars)
    ORDER BY 2`;
}

function shownFileOf(row: Row): ShownFile {
  return {
    accountId: String(row["account_id"]),
    jobId: String(row["id"]),
    storageKey: String(row["storage_key"]),
    bytes: Number(row["bytes"]),
  };
}

/** What is wrong with a file in storage; null if nothing is. */
async function problemOf(bucket: ManagedBucket, file: ShownFile): Promise<string | null> {
  const found = await bucket.lookUp(objectKeyOf({ isManaged: true }, file, file.storageKey));
  if (found === null) return `of job ${file.jobId}: not there`;
  if (found.jobId !== file.jobId) return `of job ${file.jobId}: written by ${found.jobId ?? "somebody else"}`;
  if (found.bytes !== file.bytes)
    return `of job ${file.jobId}: ${found.bytes} bytes instead of ${file.bytes}`;
  return null;
}

/** Which of the jobs show a file now: one deleted while the audit was running does not concern it. */
async function jobsThatShowFiles(database: Database, jobIds: readonly string[]): Promise<Set<string>> {
  if (jobIds.length === 0) return new Set();
  const [rows = []] = await database.execute([
    sql`SELECT id FROM jobs WHERE status = 'Completed' AND storage_key IS NOT NULL
        AND id IN (SELECT value FROM json_each(${JSON.stringify(jobIds)}))`,
  ]);
  return new Set(rows.map((row) => String(row["id"])));
}

async function auditUploads(database: Database, bucket: ManagedBucket, now: number): Promise<Finding | null> {
  const uploads = await bucket.listUploads();
  if (uploads === null) return null;
  const [rows = []] = await database.execute([
    sql`SELECT upload_id FROM jobs WHERE status IN ('Pending', 'Processing') AND upload_id IS NOT NULL
        UNION ALL SELECT upload_id FROM left_files WHERE upload_id IS NOT NULL`,
  ]);
  // Those of jobs that may continue, and those that the sweep is about to abort.
  const known = new Set(rows.map((row) => String(row["upload_id"])));
  const stray = uploads.filter(
    ({ uploadId, startedAt }) => !known.has(uploadId) && now - startedAt > untoldUploadMs,
  );
  return {
    name: "uploads",
    sentence: "No upload to managed storage outlives its job",
    rows: stray.map(wrongUpload),
    hasMore: false,
  };
}

function wrongUpload({ objectKey, uploadId, startedAt }: OpenUpload): WrongRow {
  const [accountId = ""] = objectKey.split("/");
  return {
    accountId,
    subject: objectKey,
    detail: `upload ${uploadId}, open since ${new Date(startedAt).toISOString()}`,
  };
}
