import { runScript } from "../scripts/problem.ts";
import { assumptions, type Estimate, estimate, limits } from "./capacity/estimate.ts";
import { singleJob } from "./capacity/job-cost.ts";
import { keepSection } from "../scripts/keep-section.ts";

const volumes = [1000, 1_000_000, 100_000_000];

// What a month of jobs costs at list prices, and which limit is reached first, based on the cost per job that tests
// pin.
await runScript(async () => {
  const section = report(volumes.map((jobs) => estimate(singleJob, jobs)));
  console.log(section);
  await keepSection("docs/benchmarks.md", "Cost, and the limits reached first", section);
  return 0;
});

function report(estimates: readonly Estimate[]): string {
  const head = estimates.map(({ jobsPerMonth }) => `${jobsPerMonth.toLocaleString("en")} jobs`);
  const dollars = (amount: number) => `$${amount.toFixed(2)}`;
  const row = (name: string, cell: (one: Estimate) => string) =>
    `| ${[name, ...estimates.map(cell)].join(" | ")} |`;
  const names = (estimates[0]?.costs ?? []).map(({ name }) => name);
  const { fileBytes, partBytes, peak, workerCpuMs, rowBytes, nodeCpuSecondsPerJob, nodeCpuSecondsPerGb } =
    assumptions;
  return [
    `A job takes ${singleJob.workerRequests} requests to the Worker (five of them the client's polls), ${singleJob.rowsRead} D1 rows read and`,
    `${singleJob.rowsWritten} written in ${singleJob.queries} queries, ${singleJob.queueMessages} queue message and ${singleJob.objectRequests} requests to the NodeRegistry: pinned by`,
    "`test/edge/http/job-cost.test.ts`. Assumed, not measured: " +
      `files of ${fileBytes / 1e6} MB, ${workerCpuMs} ms of CPU per request, ${rowBytes} bytes`,
    `of database a job, kept for a month, and a busiest second of ${peak} times the mean. A message is billed three times:`,
    `written, read and deleted. Files go in parts of ${partBytes / 1024 ** 2} MiB and are not re-encoded, which costs a node`,
    `${nodeCpuSecondsPerJob} s of CPU per job and ${nodeCpuSecondsPerGb} s a GB; a node has two cores and sends a heartbeat a second. US dollars a`,
    "month at list prices (`bench/capacity/prices.ts`). Not included are the nodes' machines, stored and transferred bytes,",
    "progress streams, webhooks, and lists that clients request.",
    "",
    `| a month | ${head.join(" | ")} |`,
    `| --- | ${estimates.map(() => "---").join(" | ")} |`,
    ...names.map((name, index) => row(name, ({ costs }) => dollars(costs[index]?.dollars ?? 0))),
    row("**together**", ({ total }) => `**${dollars(total)}**`),
    row("a thousand jobs", ({ total, jobsPerMonth }) => dollars((1000 * total) / jobsPerMonth)),
    row("nodes", ({ nodes }) => String(nodes)),
    row("not included: transfer in and out, TB", ({ transferTb }) => transferTb.toFixed(1)),
    "",
    "| limit, with one of each part | jobs a month |",
    "| --- | --- |",
    ...limits(singleJob).map(
      ({ name, jobsPerMonth }) => `| ${name} | ${(jobsPerMonth / 1e6).toFixed(0)} million |`,
    ),
  ].join("\n");
}
