import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFerry, type Job, runJob } from "../client/ferry-client.ts";
import { type Around, intervalMs } from "./demo/around.ts";
import { checkFile, tableHeading } from "./demo/check-file.ts";
import { demoJobs, type DemoJob } from "./demo/demo-jobs.ts";
import { runDemoShow, showTitle } from "./demo/demo-show.ts";
import { openProgressView } from "./demo/progress-view.ts";
import { formatTable } from "./table.ts";
import { findFreePorts } from "./local-system/ports.ts";
import { withNewestDownloader } from "./local-system/newest-downloader.ts";
import { readSystemSettings } from "./local-system/settings.ts";
import { stopSignal } from "./local-system/stop-signal.ts";
import { startLocalSystem } from "./local-system/system.ts";
import { provideTools } from "./local-system/tools.ts";
import { makeMedia } from "./origin/make-media.ts";
import { startOrigin } from "./origin/serve-origin.ts";
import { runScript } from "./problem.ts";
import { showProgress } from "./progress-line.ts";

await runScript(async () => {
  const signal = stopSignal();
  await provideTools();
  const folder = await mkdtemp(join(tmpdir(), "ferry-demo-"));
  try {
    return await demonstrate(folder, signal);
  } catch (error) {
    if (signal.aborted) return 130;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function demonstrate(folder: string, signal: AbortSignal): Promise<number> {
  const mediaFolder = join(folder, "media");
  await showProgress("Making media with ffmpeg", () => makeMedia(mediaFolder));
  const origin = await startOrigin({ folder: mediaFolder });
  const [port, processorPort] = await findFreePorts(2);
  const environment = {
    PORT: String(port),
    PROCESSOR_PORT: String(processorPort),
    STATE_DIR: join(folder, "state"),
    YT_DLP_PATH: process.env["YT_DLP_PATH"],
  };
  const around = { signal, say: console.log };
  const settings = await withNewestDownloader(readSystemSettings(environment), around);
  const system = await startLocalSystem(settings, around);
  try {
    const ferry = createFerry({ baseUrl: system.url, apiKey: system.apiKey });
    const view = openProgressView([...demoJobs.map(({ title }) => title), showTitle]);
    return await runAll({ ferry, origin, folder, view, signal });
  } finally {
    await showProgress("Stopping", () => system.stop());
    await origin.close();
  }
}

async function runAll(around: Around): Promise<number> {
  const { ferry, origin, view, signal } = around;
  console.log(`\nDownloading ${demoJobs.length} media files and a podcast show from ${origin.url}:`);
  const runOne = async (demoJob: DemoJob) => {
    const onPoll = (job: Job) => view.show(demoJob.title, progressOf(job));
    const job = await runJob(
      ferry,
      { url: `${origin.url}/${demoJob.source}` },
      { onPoll, signal, intervalMs },
    );
    return checkFile(job, demoJob, around);
  };
  const finished = await Promise.all([...demoJobs.map(runOne), runDemoShow(around)]).finally(() =>
    view.close(),
  );
  const all = finished.flat();
  console.log(`\n${formatTable([tableHeading, ...all.map(({ row }) => row)])}\n`);
  const problems = all.flatMap((one) => one.problems);
  for (const problem of problems) console.error(`✗ ${problem}`);
  if (problems.length === 0)
    console.log("Every file was downloaded through its presigned URL and is as expected.");
  return problems.length === 0 ? 0 : 1;
}

function progressOf({ status, step, error, progress }: Job) {
  return {
    percent: status === "Completed" ? 100 : Math.floor(progress?.percent ?? 0),
    step: status === "Failed" ? `Failed: ${error ?? ""}` : step,
  };
}
