import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFerry, type Ferry, runJob } from "../client/ferry-client.ts";
import { demoJobs, type DemoJob } from "./demo/demo-jobs.ts";
import { fetchFile, readFileFacts } from "./demo/file-facts.ts";
import { judge } from "./demo/judge.ts";
import { openProgressView, type ProgressView } from "./demo/progress-view.ts";
import { formatTable } from "./demo/table.ts";
import { findFreePorts } from "./local-system/ports.ts";
import { readSystemSettings } from "./local-system/settings.ts";
import { stopSignal } from "./local-system/stop-signal.ts";
import { startLocalSystem } from "./local-system/system.ts";
import { provideTools } from "./local-system/tools.ts";
import { makeMedia, mediaSeconds } from "./origin/make-media.ts";
import { startOrigin, type Origin } from "./origin/serve-origin.ts";
import { runScript } from "./problem.ts";
import { showProgress } from "./progress-line.ts";

const intervalMs = 250;

interface Finished {
  readonly row: readonly string[];
  readonly problems: readonly string[];
}

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
  };
  const system = await startLocalSystem(readSystemSettings(environment), { signal, say: console.log });
  try {
    const ferry = createFerry({ baseUrl: system.url, apiKey: system.apiKey });
    return await runDemoJobs({ ferry, origin, folder, signal });
  } finally {
    await showProgress("Stopping", () => system.stop());
    await origin.close();
  }
}

async function runDemoJobs(around: Around): Promise<number> {
  console.log(`\nFetching ${demoJobs.length} media from ${around.origin.url}:`);
  const view = openProgressView(demoJobs.map((job) => job.title));
  const finished = await Promise.all(demoJobs.map((job) => runDemoJob(job, view, around))).finally(() =>
    view.close(),
  );
  const heading = ["job", "stored as", "container", "video", "audio", "seconds", "bytes", "took"];
  console.log(`\n${formatTable([heading, ...finished.map(({ row }) => row)])}\n`);
  const problems = finished.flatMap((one) => one.problems);
  for (const problem of problems) console.error(`✗ ${problem}`);
  if (problems.length === 0)
    console.log("Every file was fetched through its presigned URL and is as it must be.");
  return problems.length === 0 ? 0 : 1;
}

interface Around {
  readonly ferry: Ferry;
  readonly origin: Origin;
  readonly folder: string;
  readonly signal: AbortSignal;
}

async function runDemoJob(demoJob: DemoJob, view: ProgressView, around: Around): Promise<Finished> {
  const { ferry, origin, folder, signal } = around;
  const { title, source, expected } = demoJob;
  const onLook = view.show.bind(view, title);
  const job = await runJob(ferry, { url: `${origin.url}/${source}` }, { onLook, signal, intervalMs });
  if (!job.storage_url)
    return { row: [title, job.error ?? job.status], problems: [`${title}: ${job.error ?? job.status}`] };
  const path = join(folder, `fetched-${demoJobs.indexOf(demoJob)}`);
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
