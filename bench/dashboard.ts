import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { answerTo, waitForBatch } from "../client/ferry-client.ts";
import { openBrowser } from "../scripts/browser/open-browser.ts";
import { runScript } from "../scripts/problem.ts";
import { showProgress } from "../scripts/progress-line.ts";
import { withBenchSystem, type BenchSystem } from "./engine/bench-system.ts";
import { keepSection } from "../scripts/keep-section.ts";
import { median } from "./median.ts";

// How soon the dashboard is usable, and how its memory grows: by the browser's own clock and counters.

const jobs = 100;
const visits = 10;
const goalMs = 1000;
const refreshes = 10;
/** The first ones fill what is kept permanently, such as compiled code. */
const warmUpRefreshes = 3;

const markFirstView = fileURLToPath(new URL("dashboard/mark-first-view.js", import.meta.url));
/** In the page: milliseconds from the visit to the mark, or undefined before it. */
const firstViewMs = () => performance.getEntriesByName("first view")[0]?.startTime;

await runScript(async () => {
  await withBenchSystem(async (system) => {
    const browser = await openBrowser();
    try {
      await measure(browser, system);
    } finally {
      await browser.close();
    }
  });
  return 0;
});

async function measure(browser: Browser, system: BenchSystem): Promise<void> {
  await showProgress(`Creating ${jobs} jobs`, () => createJobs(system));
  const milliseconds: number[] = [];
  await showProgress(`Visiting ${visits} times`, async () => {
    // The first visit is also the server's first, and is not counted.
    for (let visit = -1; visit < visits; visit++) {
      const ms = await firstView(browser, system);
      if (visit >= 0) milliseconds.push(ms);
    }
  });
  const growth = await showProgress(`Watching ${refreshes} refreshes`, () => growthOf(browser, system));
  const section = report(milliseconds, growth);
  console.log(`\n${section}`);
  await keepSection("docs/benchmarks.md", "The dashboard in a browser", section);
}

/** The source has none of these files: the jobs fail, which is quick, and their rows are the longest there are. */
async function createJobs({ ferry, originUrl }: BenchSystem): Promise<void> {
  const body = { jobs: Array.from({ length: jobs }, (_, n) => ({ url: `${originUrl}/nothing/${n}.mp4` })) };
  const { batch_id: batchId } = await answerTo(ferry.POST("/jobs/bulk", { body }));
  await waitForBatch(ferry, batchId, { intervalMs: 500 });
}

async function visitDashboard(browser: Browser, { url, apiKey }: BenchSystem) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(`localStorage.setItem("ferry-api-key", ${JSON.stringify(apiKey)})`);
  await context.addInitScript({ path: markFirstView });
  const page = await context.newPage();
  await page.goto(`${url}/dashboard`);
  await page.waitForFunction(firstViewMs);
  return { page, leave: () => context.close() };
}

/** Milliseconds from a visit with an empty browser cache to the complete first view on screen. */
async function firstView(browser: Browser, system: BenchSystem): Promise<number> {
  const { page, leave } = await visitDashboard(browser, system);
  const ms = z.number().parse(await page.evaluate(firstViewMs));
  await leave();
  return ms;
}

interface Memory {
  /** After garbage collection. */
  readonly heapBytes: number;
  readonly nodes: number;
}

/** What the open overview holds additionally after its refreshes. */
async function growthOf(browser: Browser, system: BenchSystem): Promise<Memory> {
  const { page, leave } = await visitDashboard(browser, system);
  const session = await page.context().newCDPSession(page);
  const memory = async (): Promise<Memory> => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    const { nodes } = await session.send("Memory.getDOMCounters");
    return { heapBytes: usedSize, nodes };
  };
  const refresh = async (times: number) => {
    for (let time = 0; time < times; time++) await page.waitForResponse(/\/dashboard\/stats$/);
  };
  await refresh(warmUpRefreshes);
  const before = await memory();
  await refresh(refreshes);
  const after = await memory();
  await leave();
  return { heapBytes: after.heapBytes - before.heapBytes, nodes: after.nodes - before.nodes };
}

function report(milliseconds: readonly number[], growth: Memory): string {
  return [
    `The overview of an account with ${jobs} jobs in Chromium, from the visit, with nothing in the browser's cache, to its`,
    "figures and its first fifty jobs on the screen, by the browser's own clock. Edge, node and browser share the machine.",
    "",
    `Median of ${visits} on ${availableParallelism()} cores: **${median(milliseconds).toFixed(0)} ms**, the slowest ` +
      `${Math.max(...milliseconds).toFixed(0)} ms; the goal is under ${goalMs} ms.`,
    "",
    `After ${refreshes} more refreshes the page holds ${(growth.heapBytes / 1000).toFixed(0)} kB and ${growth.nodes} nodes ` +
      "more than before, garbage collected; the goal is next to none.",
  ].join("\n");
}
