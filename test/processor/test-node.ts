import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { nodeIsolatedAfterMs } from "../../contracts/limits.ts";
import type { Task } from "../../contracts/task.ts";
import { readConfig } from "../../processor/config.ts";
import { createLog } from "../../processor/log.ts";
import { measuredJob } from "../../processor/metrics/measured-job.ts";
import { createMetrics } from "../../processor/metrics/metrics.ts";
import { createNode, type Node } from "../../processor/node.ts";
import type { JobLink, JobResult } from "../../processor/pipeline/job.ts";
import { freePort, secret, type FakeEdge } from "./fake-edge.ts";
import { toolFacts } from "./tool-facts.ts";

export const timings = { download_ms: 1, mux_ms: 2, upload_ms: 3 };

/** A run of a job whose end the test decides; otherwise it continues until it is aborted. */
export interface FakeRun {
  readonly task: Task;
  readonly link: JobLink;
  readonly signal: AbortSignal;
  complete(): void;
  fail(error: unknown): void;
}

export interface TestNode extends Node {
  readonly address: string;
  readonly workFolder: string;
  /** Every run that was started, in order. */
  readonly runs: FakeRun[];
  /** What was logged, one JSON object each. */
  readonly logged: Record<string, unknown>[];
}

/** A node connected to the fake edge, with frequent heartbeats and, by default, isolated after ten seconds as usual. */
export async function makeNode(
  edge: Pick<FakeEdge, "url">,
  environment: Readonly<Record<string, string>> = {},
  nodeTimings = { heartbeatMs: 20, isolatedAfterMs: nodeIsolatedAfterMs },
): Promise<TestNode> {
  const config = readConfig({
    EDGE_URL: edge.url,
    PROCESSOR_SECRET: secret,
    PORT: String(await freePort()),
    ALLOW_PRIVATE_NETWORK: "true",
    WORK_DIR: environment["WORK_DIR"] ?? (await mkdtemp(join(tmpdir(), "ferry-node-test-"))),
    DRAIN_GRACE_MS: "0",
    ...environment,
  });
  const runs: FakeRun[] = [];
  const logged: Record<string, unknown>[] = [];
  const metrics = createMetrics();
  const now = () => performance.now();
  const node = createNode({
    config,
    metrics,
    toolFacts: () => toolFacts,
    nodeId: `node-${config.port}`,
    hostname: "test-host",
    log: createLog("debug", "node", { write: (line) => void logged.push(JSON.parse(line)) }),
    clock: () => Date.now(),
    now,
    random: () => 0,
    runJob: measuredJob(
      (task, { link, signal }) =>
        new Promise<JobResult>((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          runs.push({ task, link, signal, complete: () => resolve({ timings }), fail: reject });
        }),
      metrics,
      now,
    ),
    readShow: async function* () {},
    timings: nodeTimings,
    warmUp: async () => undefined,
    close: async () => undefined,
  });
  return { ...node, address: config.publicAddress, workFolder: config.workFolder, runs, logged };
}

/** Waits for a condition that the test expects to become true, checking often. */
export async function until(condition: () => boolean): Promise<void> {
  await vi.waitUntil(condition, { timeout: 60_000, interval: 5 });
}

/** The n-th run, once it has started. */
export async function runOf(node: TestNode, index: number): Promise<FakeRun> {
  await until(() => node.runs.length > index);
  const run = node.runs[index];
  if (run === undefined) throw new Error(`run ${index} is missing`);
  return run;
}
