import type { JobCost } from "./job-cost.ts";
import { ceilings, prices } from "./prices.ts";

const secondsPerMonth = 30 * 24 * 60 * 60;

/** What the model assumes about a deployment, apart from what is measured. */
export const assumptions = {
  fileBytes: 100e6,
  /** Part size of an upload, which also takes one request to begin and one to complete. */
  partBytes: 5 * 1024 * 1024,
  /** Rows and indexes in the database, per job. */
  rowBytes: 1000,
  /** CPU time of the Worker, per request. */
  workerCpuMs: 2,
  /** CPU time of a node: for an empty job, and per GB of a direct file (docs/benchmarks.md). */
  nodeCpuSecondsPerJob: 0.01,
  nodeCpuSecondsPerGb: 3.5,
  coresPerNode: 2,
  /** The busiest second has this many times the average number of jobs. */
  peak: 5,
} as const;

export interface Estimate {
  readonly jobsPerMonth: number;
  readonly nodes: number;
  /** US dollars a month by part, after the plan's included usage; the plan itself comes first. */
  readonly costs: readonly { readonly name: string; readonly dollars: number }[];
  readonly total: number;
  readonly transferTb: number;
}

/** What this many jobs a month cost, without stored and transferred bytes and the nodes' machines. */
export function estimate(job: JobCost, jobsPerMonth: number): Estimate {
  const nodes = nodesFor(jobsPerMonth);
  const heartbeats = nodes * secondsPerMonth;
  const workerRequests = job.workerRequests * jobsPerMonth + heartbeats;
  const uses = [
    { ...prices.workerRequests, use: workerRequests },
    { ...prices.workerCpuMs, use: workerRequests * assumptions.workerCpuMs },
    { ...prices.rowsRead, use: job.rowsRead * jobsPerMonth },
    { ...prices.rowsWritten, use: job.rowsWritten * jobsPerMonth },
    { ...prices.databaseGb, use: (assumptions.rowBytes * jobsPerMonth) / 1e9 },
    { ...prices.queueOperations, use: 3 * job.queueMessages * jobsPerMonth },
    { ...prices.objectRequests, use: job.objectRequests * jobsPerMonth + heartbeats },
    { ...prices.objectGbSeconds, use: 0.128 * secondsPerMonth },
    {
      ...prices.storageWrites,
      use: jobsPerMonth * Math.ceil(assumptions.fileBytes / assumptions.partBytes + 2),
    },
  ];
  const costs = uses.map(({ name, per, included, use }) => ({
    name,
    dollars: Math.max(0, use - included) * per,
  }));
  const all = [{ name: prices.plan.name, dollars: prices.plan.perMonth }, ...costs];
  return {
    jobsPerMonth,
    nodes,
    costs: all,
    total: all.reduce((sum, { dollars }) => sum + dollars, 0),
    transferTb: (2 * assumptions.fileBytes * jobsPerMonth) / 1e12,
  };
}

function nodesFor(jobsPerMonth: number): number {
  const { fileBytes, nodeCpuSecondsPerJob, nodeCpuSecondsPerGb, coresPerNode, peak } = assumptions;
  const cpuSeconds = nodeCpuSecondsPerJob + (nodeCpuSecondsPerGb * fileBytes) / 1e9;
  return Math.max(1, Math.ceil((cpuSeconds * jobsPerMonth * peak) / secondsPerMonth / coresPerNode));
}

/** How many jobs a month one of each part can carry, lowest first: that limit is reached first. */
export function limits(job: JobCost): { readonly name: string; readonly jobsPerMonth: number }[] {
  const perMonth = (jobsPerSecond: number) => (jobsPerSecond * secondsPerMonth) / assumptions.peak;
  const { databaseGb, databaseTransactionsPerSecond, objectRequestsPerSecond, queueMessagesPerSecond } =
    ceilings;
  return [
    { name: "D1 size, jobs kept for a month", jobsPerMonth: (databaseGb * 1e9) / assumptions.rowBytes },
    { name: "D1 throughput", jobsPerMonth: perMonth(databaseTransactionsPerSecond / job.queries) },
    { name: "NodeRegistry requests", jobsPerMonth: perMonth(objectRequestsPerSecond / job.objectRequests) },
    { name: "Queue messages", jobsPerMonth: perMonth(queueMessagesPerSecond / job.queueMessages) },
  ].sort((one, other) => one.jobsPerMonth - other.jobsPerMonth);
}
