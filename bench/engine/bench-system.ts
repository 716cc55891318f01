import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  answerTo,
  createFerry,
  runJob,
  type Ferry,
  type Job,
  type JobRequest,
} from "../../client/ferry-client.ts";
import { findFreePorts } from "../../scripts/local-system/ports.ts";
import { readSystemSettings } from "../../scripts/local-system/settings.ts";
import { stopSignal } from "../../scripts/local-system/stop-signal.ts";
import { startLocalSystem } from "../../scripts/local-system/system.ts";
import { provideTools } from "../../scripts/local-system/tools.ts";
import { startOrigin } from "../../scripts/origin/serve-origin.ts";
import { findProcess } from "./process-tree.ts";
import { startStorageProcess } from "./storage-process.ts";

/** A system of its own, a media source and a fast S3 server, all on this machine. */
export interface BenchSystem {
  readonly url: string;
  readonly apiKey: string;
  readonly ferry: Ferry;
  /** Created empty for this run; the source serves it. */
  readonly folder: string;
  readonly originUrl: string;
  readonly storageUrl: string;
  /** The largest number of concurrent requests at the source. */
  mostAtOnce(): number;
  /** The node's process. */
  readonly nodePid: number;
  /** The process that starts the Worker and its database, each in a process of its own. */
  readonly edgePid: number;
  /** Makes new jobs store there from now on. */
  useBucket(endpoint: string): Promise<void>;
  /** Runs a job to its end, polling at this interval in milliseconds; throws unless it is Completed. */
  complete(request: JobRequest, intervalMs?: number): Promise<Job>;
}

/**
 * Starts a system for the time of `measure` and removes everything afterwards; `variables` are settings of edge and
 * node.
 */
export async function withBenchSystem(
  measure: (system: BenchSystem) => Promise<void>,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const signal = stopSignal();
  await provideTools();
  const folder = await mkdtemp(join(tmpdir(), "ferry-bench-"));
  const origin = await startOrigin({ folder });
  const storage = await startStorageProcess(join(folder, "storage"));
  try {
    const [port, processorPort] = await findFreePorts(2);
    const settings = readSystemSettings({
      ...variables,
      PORT: `${port}`,
      PROCESSOR_PORT: `${processorPort}`,
      STATE_DIR: join(folder, "state"),
    });
    const system = await startLocalSystem(settings, { signal, say: console.log });
    try {
      const ferry = createFerry({ baseUrl: system.url, apiKey: system.apiKey });
      await measure({
        url: system.url,
        apiKey: system.apiKey,
        ferry,
        folder,
        originUrl: origin.url,
        storageUrl: storage.url,
        mostAtOnce: () => origin.mostAtOnce(),
        nodePid: await findProcess("processor/main.ts", `PORT=${processorPort}`),
        edgePid: await findProcess("cli.js\0dev\0", folder),
        async useBucket(endpoint) {
          const credentials = { access_key_id: "bench", secret_access_key: "bench" };
          await answerTo(ferry.POST("/user/bucket", { body: { endpoint, bucket: "bench", ...credentials } }));
        },
        async complete(request, intervalMs = 100) {
          const job = await runJob(ferry, request, { signal, intervalMs });
          if (job.status !== "Completed") throw new Error(`The job failed: ${job.error}`);
          return job;
        },
      });
    } finally {
      await system.stop();
    }
  } finally {
    await origin.close();
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  }
}
