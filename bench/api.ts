import { startFakeNode } from "./api/fake-node.ts";
import { throughputOf, type Target } from "./api/load.ts";
import { seedAccount, type SeededAccount } from "./api/seed-account.ts";
import { startWorker } from "./api/start-worker.ts";
import { keepSection } from "../scripts/keep-section.ts";
import { median } from "./median.ts";
import { runScript } from "../scripts/problem.ts";
import { showProgress } from "../scripts/progress-line.ts";

const endedJobs = 10_000;
const load = { connections: 16, seconds: 0.5 };
const warmUp = { connections: 16, seconds: 1 };
const rounds = 30;
/** The least acceptable share of the bare handler's throughput, for requests with a goal. */
const leastShare = { "GET /jobs/{id}, ended": 0.7, "GET /jobs/{id}, running": 0.6 } as const;

// How much of a bare handler's throughput the API keeps. Rounds alternate between all targets, so that other load on
// the machine affects each alike.
await runScript(async () => {
  const worker = await showProgress("Starting the Worker", startWorker);
  try {
    const account = await showProgress("Filling the account", () => seedAccount(worker, endedJobs));
    const stopNode = await startFakeNode(worker, account);
    const measured = await measure(worker.url, targetsOf(account));
    stopNode();
    const section = report(measured);
    console.log(section);
    await keepSection("docs/benchmarks.md", "The API against a bare handler", section);
    return keepsItsFigures(measured) ? 0 : 1;
  } finally {
    await worker.stop();
  }
});

function targetsOf({ id, apiKey, endedJob, runningJob }: SeededAccount): [Target, ...Target[]] {
  const headers = { "x-api-key": apiKey };
  const get = (name: string, path: string): Target => ({ name, method: "GET", path, headers, body: null });
  return [
    get("a bare handler with one indexed read", `/bare/${id}/${endedJob}`),
    get("GET /jobs/{id}, ended", `/jobs/${endedJob}`),
    get("GET /jobs/{id}, running", `/jobs/${runningJob}`),
    get("GET /jobs, a page of 20", "/jobs"),
    {
      name: "POST /jobs",
      method: "POST",
      path: "/jobs",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://media.example/talk.mp4" }),
    },
  ];
}

interface Measured {
  readonly name: string;
  /** Answers per second, the median of all rounds. */
  readonly throughput: number;
  /** Relative to the first target in the same round, the median of all rounds. */
  readonly share: number;
}

async function measure(origin: string, targets: readonly [Target, ...Target[]]): Promise<Measured[]> {
  for (const target of targets) await throughputOf(origin, target, warmUp);
  const samples = await showProgress(`Measuring ${rounds} rounds`, async () => {
    const all: number[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const sample: number[] = [];
      for (const target of targets) sample.push(await throughputOf(origin, target, load));
      all.push(sample);
    }
    return all;
  });
  return targets.map(({ name }, index) => {
    const throughputs = samples.map((sample) => sample[index] ?? Number.NaN);
    const shares = throughputs.map((throughput, round) => throughput / (samples[round]?.[0] ?? Number.NaN));
    return { name, throughput: median(throughputs), share: median(shares) };
  });
}

function leastShareOf(name: string): number | null {
  return Object.entries(leastShare).find(([known]) => known === name)?.[1] ?? null;
}

function keepsItsFigures(measured: readonly Measured[]): boolean {
  return measured.every(({ name, share }) => share >= (leastShareOf(name) ?? 0));
}

function report(measured: readonly Measured[]): string {
  const rows = measured.map(({ name, throughput, share }) => {
    const least = leastShareOf(name);
    const goal = least === null ? "" : `at least ${least.toFixed(2)}`;
    return `| ${name} | ${Math.round(throughput)} | ${share.toFixed(2)} | ${goal} |`;
  });
  return [
    `${load.connections} connections in a closed loop, an account of ${endedJobs} jobs, medians of ${rounds} rounds of`,
    `${load.seconds} s a request in turn. The bare handler is Hono with one read by primary key, in the same Worker on`,
    "the same database; a share is of its answers in the same round.",
    "",
    "| request | answers/s | share of the bare handler | goal |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
