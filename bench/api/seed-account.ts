import { v7 as uuidv7 } from "uuid";
import { createFerry, createJob } from "../../client/ferry-client.ts";
import { addAccount } from "../../scripts/accounts/account-store.ts";
import type { Database } from "../../scripts/local-system/database.ts";
import { drawApiKey, storedKey } from "../../scripts/accounts/new-key.ts";
import { sql } from "../../scripts/accounts/sql.ts";
import type { BenchedWorker } from "./start-worker.ts";

export interface SeededAccount {
  readonly id: string;
  readonly apiKey: string;
  readonly endedJob: string;
  /** Held by the node `nodeId` under claim 1. */
  readonly runningJob: string;
  readonly nodeId: string;
}

const nodeId = "bench-node";
const media = {
  container: "mp4",
  duration_seconds: 612.4,
  width: 1920,
  height: 1080,
  video_codec: "h264",
  audio_codec: "aac",
  bitrate_bps: 629832,
};
const timings = { download_ms: 8100, mux_ms: 950, upload_ms: 7900 };

/** Creates an account with `jobs` ended jobs, among them `endedJob`, and a running one. */
export async function seedAccount({ url, database }: BenchedWorker, jobs: number): Promise<SeededAccount> {
  const id = uuidv7();
  const apiKey = drawApiKey();
  const now = Date.now();
  await addAccount(database, { id, name: "bench", key: await storedKey(apiKey), now });
  const ferry = createFerry({ baseUrl: url, apiKey });
  const request = { url: "https://media.example/talk.mp4", folder: "talks" };
  const endedJob = await createJob(ferry, request);
  const runningJob = await createJob(ferry, request);
  await database.execute([
    sql`UPDATE jobs SET status = 'Completed', step = 'Finished', ready_at = NULL, claim = 1, started_at = ${now},
          finished_at = ${now}, storage_key = 'talks/Talk.mp4', file_size = 48213377, media = ${JSON.stringify(media)},
          timings = ${JSON.stringify(timings)} WHERE id = ${endedJob}`,
    sql`UPDATE jobs SET status = 'Processing', step = 'Downloading', ready_at = NULL, claim = 1, node_id = ${nodeId},
          claimed_at = ${now}, started_at = ${now} WHERE id = ${runningJob}`,
    sql`UPDATE account_counters SET jobs_created = ${jobs + 1}, pending = 0, processing = 1, completed = ${jobs}`,
  ]);
  await copyJob(database, endedJob, jobs - 1);
  return { id, apiKey, endedJob, runningJob, nodeId };
}

/** Older jobs that differ from this one only in their ids, so that a new column needs no change here. */
async function copyJob(database: Database, jobId: string, count: number): Promise<void> {
  const [columns = []] = await database.execute(["SELECT name FROM pragma_table_info('jobs')"]);
  const names = columns.map(({ name }) => String(name));
  const values = names.map((name) => (name === "id" ? "printf('01900000-0000-7000-8000-%012x', n)" : name));
  await database.execute([
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      INSERT INTO jobs (${names.join()}) SELECT ${values.join()} FROM jobs, numbers WHERE id = '${jobId}'`,
  ]);
}
