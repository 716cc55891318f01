import type { FileFacts } from "../../contracts/file-facts.ts";
import type { Task } from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import { contentType } from "../upload/content-type.ts";
import { adoptEarlierFile } from "../upload/earlier-attempt.ts";
import { uploadFile } from "../upload/upload-file.ts";
import { fetchSource } from "./fetch-source.ts";
import type { JobContext, JobTools } from "./job-context.ts";
import { withJobFolder } from "./job-folder.ts";
import type { JobLink, JobResult } from "./job.ts";
import { makeOutput } from "./make-output.ts";
import { createProgressMeter } from "./progress-meter.ts";
import { createStopwatch } from "./stopwatch.ts";
import { withinTimeLimit } from "./time-limit.ts";

export interface JobRun {
  readonly link: JobLink;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Works on one task until its file lies in storage. Rejects with JobFailure, with the signal's reason when aborted,
 * or with whatever broke; then, as after success, no program runs on and no file of the job is left on the node.
 */
export function runJob(
  task: Task,
  { link, signal: jobSignal, log }: JobRun,
  tools: JobTools,
): Promise<JobResult> {
  return withinTimeLimit(task.limits.time_left_ms, jobSignal, (signal) =>
    withJobFolder(tools.workFolder, (folder) => {
      const meter = createProgressMeter(link, tools.now);
      return runStages({ ...tools, task, link, log, signal, folder, meter });
    }),
  );
}

async function runStages(context: JobContext): Promise<JobResult> {
  const { task, link, signal, log, meter, now } = context;
  const stopwatch = createStopwatch(now);
  const bucket = context.openStorage(task.storage);
  if (await adoptEarlierFile(task, bucket, link, signal)) {
    log.info("an earlier attempt's file is adopted");
    return { timings: stopwatch.timings() };
  }

  link.stepReached("Downloading");
  const fetched = await stopwatch.time("download_ms", () => fetchSource(context));

  link.stepReached("Muxing");
  const output = await stopwatch.time("mux_ms", () => makeOutput(fetched, context));

  link.stepReached("Uploading");
  const { path, bytes, media, container, hasVideo, title } = output;
  const facts: FileFacts = { file_size: bytes, media, sidecars: [], preferred_subtitle: null };
  await stopwatch.time("upload_ms", () =>
    uploadFile({
      job: task,
      bucket,
      link,
      path,
      facts,
      title,
      extension: container,
      contentType: contentType(container, hasVideo),
      signal,
      onBytes: (arrived) => meter.uploaded(arrived, bytes),
      log,
    }),
  );
  return { timings: stopwatch.timings() };
}
