import { randomUUID } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import type { NodeFacts } from "../contracts/heartbeat.ts";
import { heartbeatIntervalMs, nodeIsolatedAfterMs } from "../contracts/limits.ts";
import type { Config } from "./config.ts";
import { createDiskBudget } from "./disk/disk-budget.ts";
import { roomOfDisk } from "./disk/room-of-disk.ts";
import { createLog, type Log } from "./log.ts";
import { createByteBudget } from "./memory/byte-budget.ts";
import { addResourceGauges } from "./metrics/gauges.ts";
import { measuredJob } from "./metrics/measured-job.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";
import { timedPlaces } from "./metrics/timed-places.ts";
import { resolveBySystem } from "./network/address-guard.ts";
import { startNetwork } from "./network/network.ts";
import { createNameResolver } from "./network/resolve-names.ts";
import { warmUpParsers } from "./parsing/parse-apart.ts";
import { runJob } from "./pipeline/run-job.ts";
import type { ReadShow } from "./routes/shows.route.ts";
import { readShow } from "./shows/read-show.ts";
import { createTurns } from "./shows/turns.ts";
import { openDownloader } from "./source/downloader.ts";
import { keepForkServer } from "./source/fork-server/keep-fork-server.ts";
import { createStorage } from "./upload/open-storage.ts";
import { readFfmpegVersion } from "./mux/ffmpeg-version.ts";
import { createPartMemory } from "./upload/part-memory.ts";
import type { RunJob } from "./work/job-table.ts";
import { createPlaces } from "./work/places.ts";

/** For parts on their way to storage, shared by all jobs. */
const partMemoryBytes = 96 * 1024 * 1024;

/** For downloaded data that cannot be passed on yet, shared by all downloads. */
const downloadMemoryBytes = 64 * 1024 * 1024;

/** A job that finds no disk space for this long may find some on another node. */
const diskWaitMaxMs = 5 * 60_000;

/** Each holds a parser and one item of its feed, or runs a program that lists episodes, for two minutes at most. */
const showsReadAtOnce = { atOnce: 16, perOwner: 4 };
/** At this pace, a feed of the largest size would take an hour. */
const leastPace = { bytes: 256 * 1024, withinMs: 20_000 };

export interface ToolFacts extends Pick<NodeFacts, "yt_dlp" | "ffmpeg"> {
  readonly yt_dlp_sealed: boolean;
  readonly javascript_runtime: string | null;
}

/** Everything the node's code needs from outside itself. Created only here; features take what they use. */
export interface Dependencies {
  readonly config: Config;
  /** New each time the process starts. */
  readonly nodeId: string;
  readonly hostname: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The node's programs, as far as is known yet. */
  readonly toolFacts: () => ToolFacts;
  /** This machine's clock: milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Milliseconds from an arbitrary starting point; monotonic. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly runJob: RunJob;
  readonly readShow: ReadShow;
  readonly timings: { readonly heartbeatMs: number; readonly isolatedAfterMs: number };
  /** Prepares what makes jobs start quickly. The node's work folder must exist. Jobs need not wait for this. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** Rejects if the downloader or ffmpeg does not run on this machine. */
export async function createDependencies(config: Config): Promise<Dependencies> {
  const { ytDlp, ffmpeg, ffprobe } = config.programs;
  const nodeId = randomUUID();
  const now = () => performance.now();
  const log = createLog(config.logLevel, nodeId);
  const forkServer = keepForkServer(ytDlp, log);
  const downloader = await openDownloader(ytDlp, (args, run) => forkServer.run(args, run));
  const policy = { allowPrivateNetwork: config.allowPrivateNetwork };
  const resolveName = config.allowPrivateNetwork ? resolveBySystem : createNameResolver();
  const network = await startNetwork(policy, resolveName, config.connectionsPerHost, config.patience);
  const { workFolder } = config;
  const ffmpegVersion = await readFfmpegVersion(ffmpeg);
  const metrics = createMetrics();
  const places = (place: "download" | "encode" | "upload", count: number) =>
    timedPlaces(createPlaces(count), now, (waitedMs) =>
      metrics.placeWaitSeconds.observe({ place }, waitedMs / 1000),
    );
  const tools = {
    network,
    downloader,
    downloadMemory: createByteBudget(downloadMemoryBytes),
    openStorage: createStorage(network.guard, { patience: config.patience }),
    partMemory: createPartMemory(partMemoryBytes),
    diskBudget: createDiskBudget({
      totalBytes: async () => config.diskBytes ?? roomOfDisk(workFolder),
      waitMaxMs: diskWaitMaxMs,
    }),
    places: {
      downloads: places("download", config.stages.downloads),
      encodes: places("encode", config.stages.encodes),
      uploads: places("upload", config.stages.uploads),
    },
    sidecarPrograms: createPlaces(availableParallelism()),
    ffmpeg,
    ffprobe,
    workFolder,
    now,
  };
  const memory = { download: tools.downloadMemory, upload: tools.partMemory };
  addResourceGauges(metrics.registry, { places: tools.places, memory, workFolder });
  const { appleLookupUrl } = config;
  const turns = createTurns(showsReadAtOnce);
  const showTools = { network, policy, downloader, workFolder, appleLookupUrl, turns, leastPace };
  return {
    config,
    nodeId,
    hostname: hostname(),
    log,
    metrics,
    toolFacts: () => ({
      yt_dlp: forkServer.loaded()?.version ?? "unknown",
      yt_dlp_sealed: forkServer.loaded()?.isSealed ?? downloader.isSealed,
      javascript_runtime: downloader.javascriptRuntime,
      ffmpeg: ffmpegVersion,
    }),
    clock: () => Date.now(),
    now,
    random: () => Math.random(),
    runJob: measuredJob((task, run) => runJob(task, run, tools), metrics, now),
    readShow: (request, run) => readShow(request, { ...showTools, ...run }),
    timings: { heartbeatMs: heartbeatIntervalMs, isolatedAfterMs: nodeIsolatedAfterMs },
    warmUp: async () => void (await Promise.all([forkServer.start(workFolder), warmUpParsers()])),
    async close() {
      await forkServer.close();
      await network.close();
    },
  };
}
