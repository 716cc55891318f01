import type { Task } from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import { SourceChanged } from "../network/network-failure.ts";
import type { ListedCollection } from "../sidecars/collect-listed.ts";
import { adoptEarlierFile } from "../upload/earlier-attempt.ts";
import { findSource } from "./find-source.ts";
import type { JobContext, JobTools } from "./job-context.ts";
import { withJobFolder } from "./job-folder.ts";
import type { JobLink, JobResult } from "./job.ts";
import { makeAndStore } from "./make-and-store.ts";
import { passDirectly } from "./pass-directly.ts";
import { passRemuxed } from "./pass-remuxed.ts";
import { createProgressMeter } from "./progress-meter.ts";
import { openSourceStream, type SourceStream } from "./source-stream.ts";
import { createStages } from "./stages.ts";
import { withinTimeLimit } from "./time-limit.ts";

export interface JobRun {
  readonly link: JobLink;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Works on one task until its file is in storage. Rejects with JobFailure, with the signal's reason when aborted, with
 * NoRoom, or with whatever broke. Either way, none of the job's programs or files are left on the node afterwards.
 */
export function runJob(
  task: Task,
  { link, signal: jobSignal, log }: JobRun,
  tools: JobTools,
): Promise<JobResult> {
  return withinTimeLimit(task.limits.time_left_ms, jobSignal, async (signal) => {
    const bucket = tools.openStorage(task.storage);
    const stages = createStages(link, tools.now);
    if (await adoptEarlierFile(task, bucket, link, signal)) {
      log.info("adopted the file of an earlier attempt");
      return { timings: stages.timings() };
    }
    const meter = createProgressMeter(link, tools.now);
    const attempt = { ...tools, task, link, log, signal, meter, stages, bucket };
    await againIfChanged(log, () =>
      tools.diskBudget.within((disk) =>
        withJobFolder(tools.workFolder, (folder) => storeFile({ ...attempt, folder, disk })),
      ),
    );
    return { timings: stages.timings() };
  });
}

/** A source that changes more often than this probably changes with every request. */
const changesMax = 2;

/**
 * Repeats work from the beginning if its source changed in the meantime, since nothing of it can have been published.
 */
async function againIfChanged(log: Log, work: () => Promise<void>): Promise<void> {
  for (let changes = 0; ; changes += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof SourceChanged) || changes === changesMax) throw error;
      log.info("the source changed while it was fetched, fetching it again");
    }
  }
}

async function storeFile(context: JobContext): Promise<void> {
  const leaveDownloads = await context.places.downloads.enter(context.signal);
  const streams: SourceStream[] = [];
  let listed: ListedCollection | null = null;
  try {
    context.stages.begin("download");
    const found = await findSource(context);
    listed = found.listed;
    streams.push(...found.formats.map((_, index) => openSourceStream(found, index, context, true)));
    for (const pass of [passDirectly, passRemuxed]) {
      const left = await pass(found, streams, context);
      if (left === null) return;
      streams.splice(0, streams.length, ...left);
    }
    await makeAndStore(found, streams, context, leaveDownloads);
  } finally {
    leaveDownloads();
    await Promise.all([listed?.close(), ...streams.map((stream) => stream.close())]);
  }
}
