import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createLog } from "../processor/log.ts";
import { startNetwork } from "../processor/network/network.ts";
import { describeMedia } from "../processor/source/describe-media.ts";
import { openDownloader, type Downloader } from "../processor/source/downloader.ts";
import { keepForkServer } from "../processor/source/fork-server/keep-fork-server.ts";
import { stopSignal } from "../scripts/local-system/stop-signal.ts";
import { provideTools } from "../scripts/local-system/tools.ts";
import { makeMedia, mediaFiles } from "../scripts/origin/make-media.ts";
import { startOrigin } from "../scripts/origin/serve-origin.ts";
import { runScript } from "../scripts/problem.ts";
import { useOf } from "./engine/process-tree.ts";
import { timed } from "./engine/timed.ts";
import { keepSection } from "../scripts/keep-section.ts";
import { median } from "./median.ts";

// What it costs to find out what is at an address: starting yt-dlp for it, compared with forking a process that has
// already loaded it, alternating in the same run. Sources are local, so this is the cost of yt-dlp and not of a site.

const rounds = 10;
const limits = { source_file_bytes: 1e9, source_silence_ms: 30_000 };
const sources = { "a page with a video": mediaFiles.page, HLS: mediaFiles.hls, DASH: mediaFiles.dash };

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

await runScript(async () => {
  const signal = stopSignal();
  await provideTools();
  const folder = await mkdtemp(join(tmpdir(), "ferry-bench-"));
  const media = join(folder, "media");
  await makeMedia(media);
  const origin = await startOrigin({ folder: media });
  const network = await startNetwork({ allowPrivateNetwork: true });
  const forkServer = keepForkServer("yt-dlp", createLog("warn", "bench"));
  const jobs = { folder: join(folder, "job"), network, signal };
  await mkdir(jobs.folder);
  const describe = (downloader: Downloader, path: string) =>
    costOf(() => describeMedia(`${origin.url}/${path}`, { ...jobs, downloader, limits }));
  try {
    const started = await openDownloader("yt-dlp", async () => null);
    const forked = await openDownloader("yt-dlp", async (args, run) => {
      const end = await forkServer.run(args, run);
      if (end === null) throw new Error("the fork server took no run");
      return end;
    });
    const loading = await costOf(async () => {
      await forkServer.start(folder);
      const bounds = { ...jobs, deadlineMs: 60_000, stdoutMaxBytes: 1000, fileMaxBytes: 1000 };
      while ((await forkServer.run(["--version"], bounds)) === null) await delay(5, null, { signal });
    });
    const rows: string[] = [];
    for (const [name, path] of Object.entries(sources)) {
      const costs: { started: Cost; forked: Cost }[] = [];
      for (let round = 0; round < rounds; round++) {
        costs.push({ started: await describe(started, path), forked: await describe(forked, path) });
      }
      rows.push(
        row(
          name,
          medianCost(costs.map((cost) => cost.started)),
          medianCost(costs.map((cost) => cost.forked)),
        ),
      );
    }
    const section = report(loading, rows);
    console.log(`\n${section}`);
    await keepSection("docs/benchmarks.md", "Finding out what is at an address", section);
    return 0;
  } finally {
    await forkServer.close();
    await Promise.all([network.close(), origin.close()]);
    await rm(folder, { recursive: true, force: true });
  }
});

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const { cpuSeconds: before } = await useOf(process.pid);
  const ms = await timed(work);
  const { cpuSeconds: after } = await useOf(process.pid);
  return { ms, cpuMs: (after - before) * 1000 };
}

function medianCost(costs: readonly Cost[]): Cost {
  return { ms: median(costs.map(({ ms }) => ms)), cpuMs: median(costs.map(({ cpuMs }) => cpuMs)) };
}

function row(name: string, started: Cost, forked: Cost): string {
  const share = (forked.cpuMs / started.cpuMs).toFixed(2);
  const cells = [started.ms, forked.ms, started.cpuMs, forked.cpuMs].map((ms) => `${ms.toFixed(0)} ms`);
  return `| ${[name, ...cells, `**${share}**`].join(" | ")} |`;
}

function report(loading: Cost, rows: readonly string[]): string {
  return [
    "From an address to its formats, with yt-dlp started for it and forked from a process that has loaded it; medians",
    `of ${rounds} on ${availableParallelism()} cores. Loading takes ${loading.ms.toFixed(0)} ms and ` +
      `${loading.cpuMs.toFixed(0)} ms of CPU, once a node.`,
    "",
    "| source | started | forked | CPU started | CPU forked | forked to started, CPU |",
    "| ------ | ------- | ------ | ----------- | ---------- | ---------------------- |",
    ...rows,
  ].join("\n");
}
