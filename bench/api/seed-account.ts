import { v7 as uuidv7 } from "uuid";
import { answerTo, createFerry } from "../../client/ferry-client.ts";
import { addAccount } from "../../scripts/accounts/account-store.ts";
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

/** An account with `jobs` ended jobs, one of which is `endedJob`, and one that is being worked on. */
export async function seedAccount({ url, database }: BenchedWorker, jobs: number): Promise<SeededAccount> {
  const id = uuidv7();
  const apiKey = drawApiKey();
  const now = Date.now();
  await addAccount(database, { id, name: "bench", key: await storedKey(apiKey), now });
  const ferry = createFerry({ baseUrl: url, apiKey });
  const createJob = async () => {
    const body = { url: "https://media.example/talk.mp4", folder: "talks" };
    return (await answerTo(ferry.POST("/jobs", { body }))).job_id;
  };
  const endedJob = await createJob();
  const runningJob = await createJob();
  await database.execute([
    sql`UPDATE jobs SET status = 'Completed', step = 'Finished', ready_at = NULL, claim = 1, started_at = ${now},
          finished_at = ${now}, storage_key = 'talks/Talk.mp4', file_size = 48213377, media = ${JSON.stringify(media)},
          timings = ${JSON.stringify(timings)} WHERE id = ${endedJob}`,
    sql`UPDATE jobs SET status = 'Processing', step = 'Downloading', ready_at = NULL, claim = 1, node_id = ${nodeId},
          claimed_at = ${now}, started_at = ${now} WHERE id = ${runningJob}`,
    ...copiesOf(endedJob, jobs - 1),
    sql`UPDATE account_counters SET jobs_created = ${jobs + 1}, pending = 0, processing = 1, completed = ${jobs}`,
  ]);
  return { id, apiKey, endedJob, runningJob, nodeId };
}

/** Copies differ from the row in their ids alone, so that a column more needs no change here. */
function copiesOf(jobId: string, count: number): string[] {
  return [
    sql`CREATE TABLE copied AS SELECT * FROM jobs WHERE id = ${jobId}`,
    ...Array.from({ length: count }, () => [
      sql`UPDATE copied SET id = ${uuidv7()}`,
      `INSERT INTO jobs SELECT * FROM copied`,
    ]).flat(),
    `DROP TABLE copied`,
  ];
}
