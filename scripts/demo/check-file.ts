import { join } from "node:path";
import type { Job } from "../../client/ferry-client.ts";
import { mediaSeconds } from "../origin/make-media.ts";
import type { Around } from "./around.ts";
import type { DemoJob } from "./demo-jobs.ts";
import { fetchFile, readFileFacts } from "./file-facts.ts";
import { judge } from "./judge.ts";

/** A row of the demo's table, and what is wrong. */
export interface Finished {
  readonly row: readonly string[];
  readonly problems: readonly string[];
}

export const tableHeading = [
  "job",
  "stored as",
  "container",
  "video",
  "audio",
  "seconds",
  "bytes",
  "took",
] as const;

/** Downloads the file of an ended job through its presigned URL, and checks it. */
export async function checkFile(
  job: Job,
  { title, expected }: Pick<DemoJob, "title" | "expected">,
  { folder, signal }: Pick<Around, "folder" | "signal">,
): Promise<Finished> {
  if (!job.storage_url) {
    const problem = job.error ?? job.status;
    return { row: [title, problem], problems: [`${title}: ${problem}`] };
  }
  const path = join(folder, `fetched-${job.id}`);
  await fetchFile(job.storage_url, path, signal);
  const facts = await readFileFacts(path);
  const problems = judge(expected, { job, facts, sourceSeconds: mediaSeconds });
  const row = [
    title,
    job.storage_key ?? "",
    expected.container,
    facts.video.join(" ") || "none",
    facts.audio.join(" ") || "none",
    facts.durationSeconds.toFixed(1),
    String(facts.bytes),
    `${((job.timings?.total_ms ?? 0) / 1000).toFixed(2)} s`,
  ];
  return { row, problems: problems.map((problem) => `${title}: ${problem}`) };
}
