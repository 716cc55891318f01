import type { FileFacts } from "../../contracts/file-facts.ts";
import type { JobLink } from "../pipeline/job.ts";
import { endReport, type Outcome } from "../work/job-end.ts";
import type { RunJob } from "../work/job-table.ts";
import { type Metrics, stages } from "./metrics.ts";

/**
 * Wraps `runJob` to count bytes while a job runs, and its outcome as reported to the edge. `now` is in milliseconds.
 */
export function measuredJob(runJob: RunJob, metrics: Metrics, now: () => number): RunJob {
  return async (task, run) => {
    const startedMs = now();
    let received = 0;
    let published: FileFacts | null = null;
    const link: JobLink = {
      ...run.link,
      progressMade(progress) {
        // The total falls when a download starts again from its beginning.
        metrics.sourceBytes.inc(Math.max(0, progress.bytes_downloaded - received));
        received = progress.bytes_downloaded;
        run.link.progressMade(progress);
      },
      async publish(facts) {
        await run.link.publish(facts);
        published = facts;
      },
    };

    function count(outcome: Outcome): void {
      const report = endReport(task, outcome, run.signal);
      const kind = report?.kind ?? "dropped";
      metrics.jobsEnded.inc({ outcome: kind });
      metrics.jobSeconds.observe({ outcome: kind }, (now() - startedMs) / 1000);
      if (report?.kind === "failed") metrics.jobFailures.inc({ code: report.code });
      if (report?.kind !== "completed") return;
      for (const stage of stages) {
        metrics.stageSeconds.observe({ stage }, report.timings[`${stage}_ms`] / 1000);
      }
      metrics.storedBytes.inc(bytesOf(published ?? task.earlier?.facts ?? null));
    }

    try {
      const result = await runJob(task, { ...run, link });
      count({ result });
      return result;
    } catch (error) {
      count({ error });
      throw error;
    }
  };
}

/** The facts of a file stored by an earlier attempt are in the task. */
function bytesOf(facts: FileFacts | null): number {
  if (facts === null) return 0;
  return facts.sidecars.reduce((sum, { bytes }) => sum + bytes, facts.file_size);
}
