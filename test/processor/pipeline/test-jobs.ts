import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { z } from "zod";
import type { EncodingOptions } from "../../../contracts/encoding-options.ts";
import type { Task } from "../../../contracts/task.ts";
import { createDiskBudget } from "../../../processor/disk/disk-budget.ts";
import { createByteBudget } from "../../../processor/memory/byte-budget.ts";
import { resolveBySystem } from "../../../processor/network/address-guard.ts";
import { startNetwork } from "../../../processor/network/network.ts";
import { testPatience } from "../network/test-patience.ts";
import type { JobTools } from "../../../processor/pipeline/job-context.ts";
import type { JobResult } from "../../../processor/pipeline/job.ts";
import { runJob } from "../../../processor/pipeline/run-job.ts";
import { createStorage } from "../../../processor/upload/open-storage.ts";
import { createPartMemory } from "../../../processor/upload/part-memory.ts";
import { createPlaces } from "../../../processor/work/places.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { startTestOrigin } from "../../origin/test-origin.ts";
import { sampleTask } from "../sample-task.ts";
import { warmDownloader } from "../source/warm-downloader.ts";
import { startLocalStorage, type LocalStorage } from "../upload/local-storage.ts";
import { createRecordingLink, type RecordingLink } from "./recording-link.ts";

export interface TestJob {
  readonly jobId: string;
  readonly link: RecordingLink;
  /** The messages it logged, in order. */
  readonly logged: string[];
  readonly controller: AbortController;
  readonly result: Promise<JobResult>;
}

/** Everything that jobs need to run, from the test media's origin to storage. */
export interface TestJobs {
  readonly origin: Origin;
  readonly storage: LocalStorage;
  readonly workFolder: string;
  /** The dependencies of the jobs. */
  readonly tools: JobTools;
  /** Starts a separate job for a path of the origin or a URL, with an edge that agrees to everything. */
  start(
    path: string,
    options?: Partial<EncodingOptions>,
    given?: Partial<Task>,
    tools?: Partial<JobTools>,
  ): TestJob;
  /** The job's keys in storage. */
  storedKeys(jobId: string): Promise<string[]>;
  close(): Promise<void>;
}

const lineSchema = z.object({ msg: z.string() });

/** `startOrigin` serves the media; by default, that of all tests. */
export async function startTestJobs(startOrigin: () => Promise<Origin> = startTestOrigin): Promise<TestJobs> {
  const workFolder = await mkdtemp(join(tmpdir(), "ferry-test-work-"));
  const [origin, storage, network, downloader] = await Promise.all([
    startOrigin(),
    startLocalStorage(),
    startNetwork({ allowPrivateNetwork: true }, resolveBySystem, 8, testPatience),
    warmDownloader(),
  ]);
  const tools: JobTools = {
    network,
    downloader,
    openStorage: createStorage(network.guard, { patience: testPatience }),
    downloadMemory: createByteBudget(64 * 1024 * 1024),
    partMemory: createPartMemory(96 * 1024 * 1024),
    diskBudget: createDiskBudget({ totalBytes: async () => 1e12, waitMaxMs: 60_000 }),
    places: { downloads: createPlaces(8), encodes: createPlaces(8), uploads: createPlaces(8) },
    sidecarPrograms: createPlaces(2),
    ffmpeg: "ffmpeg",
    ffprobe: "ffprobe",
    workFolder,
    now: () => performance.now(),
  };
  let jobs = 0;

  return {
    origin,
    storage,
    workFolder,
    tools,
    start(path, options = {}, given = {}, otherTools = {}) {
      const jobId = given.job_id ?? `job-${++jobs}`;
      const base = sampleTask();
      const task: Task = {
        ...base,
        job_id: jobId,
        url: path.startsWith("http") ? path : `${origin.url}/${path}`,
        options: { ...base.options, ...options },
        storage: storage.access,
        ...given,
      };
      const link = createRecordingLink(jobId);
      const controller = new AbortController();
      const logged: string[] = [];
      const log = pino({}, { write: (line) => logged.push(lineSchema.parse(JSON.parse(line)).msg) });
      const result = runJob(task, { link, signal: controller.signal, log }, { ...tools, ...otherTools });
      return { jobId, link, logged, controller, result };
    },
    async storedKeys(jobId) {
      const keys = await storage.keys();
      return keys.filter((key) => key.startsWith(`${jobId}/`));
    },
    async close() {
      await Promise.all([origin.close(), storage.close(), network.close()]);
      await rm(workFolder, { recursive: true, force: true });
    },
  };
}
