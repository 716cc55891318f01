import type { Page, Request } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { answerTo, waitForJob } from "../../client/ferry-client.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { setVisibility, untilShown, useDashboard } from "./support/dashboard.ts";
import { createJob, ferry, media, runJob, system } from "./support/system.ts";

const openDashboard = useDashboard();
const rows = (page: Page) => page.locator("table.jobs tbody tr");

beforeAll(async () => {
  await runJob({ url: media(mediaFiles.mp3), folder: "overview", filename: "Tides of the harbour" });
  await runJob({ url: media("status/404") });
  const jobs = Array.from({ length: 55 }, (_, index) => ({ url: media(`status/404?episode=${index}`) }));
  const { job_ids: ids } = await answerTo(ferry.POST("/jobs/bulk", { body: { jobs } }));
  await Promise.all(ids.map((id) => waitForJob(ferry, id, { intervalMs: 500 })));
});

describe("the overview", () => {
  test("shows the account's figures on cards that link to the jobs they count", async () => {
    const page = await openDashboard();
    const stats = await answerTo(ferry.GET("/dashboard/stats"));
    const card = (label: string) => page.getByRole("link", { name: new RegExp(`^${label} ?[\\d,]+$`) });
    for (const [label, number] of [
      ["All jobs", stats.total_jobs],
      ["Pending", stats.pending_jobs],
      ["Processing", stats.processing_jobs],
      ["Completed", stats.completed_jobs],
      ["Failed", stats.failed_jobs],
    ] as const) {
      await card(label).waitFor();
      expect([label, await card(label).locator(".stat-value").textContent()]).toEqual([
        label,
        String(number),
      ]);
    }
    await card("Completed").click();
    await page.waitForURL(/#\/\?status=completed$/);
    await expect.poll(() => rows(page).count()).toBe(stats.completed_jobs);
  });

  test("draws the last seven days, and lists them in a table", async () => {
    const page = await openDashboard();
    const { daily_stats: days } = await answerTo(ferry.GET("/dashboard/daily"));
    const table = page.getByRole("table", { name: /by day/ });
    await table.waitFor();
    const cells = await table
      .locator("tbody tr")
      .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));
    expect(cells).toEqual(days.map((day) => [day.date, String(day.completed), String(day.failed)]));
    await expect.poll(() => colouredPixels(page)).toBeGreaterThan(100);
  });

  test("lists fifty jobs per page", async () => {
    const page = await openDashboard();
    const { total } = await answerTo(ferry.GET("/jobs"));
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(50);
    await untilShown(page, `1–50 of ${total} jobs`);
    await page.getByRole("link", { name: "Older" }).click();
    await untilShown(page, `51–${total} of ${total} jobs`);
    await expect.poll(() => rows(page).count()).toBe(total - 50);
    await page.goBack();
    await untilShown(page, `1–50 of ${total} jobs`);
  });

  test("filters by status and finds by id or by the beginning of the URL", async () => {
    const page = await openDashboard();
    const [job] = (await answerTo(ferry.GET("/jobs", { params: { query: { status: "completed" } } }))).jobs;
    await page.getByRole("navigation", { name: "Filter by status" }).getByText("Failed").click();
    await expect.poll(() => page.locator("table.jobs .badge.good").count()).toBe(0);
    await rows(page)
      .getByText(/^Video unavailable · .*\/status\/404\?episode=7$/)
      .waitFor();
    await page.getByRole("navigation", { name: "Filter by status" }).getByText("All").click();

    const search = page.getByRole("searchbox", { name: /Search by job id/ });
    await search.fill(job?.id ?? "");
    await untilShown(page, "1–1 of 1 jobs");
    await search.fill(media("status/404?episode=5"));
    await untilShown(page, /of 6 jobs/);
    await search.fill("https://nothing.example");
    await untilShown(page, "No matching jobs.");
    await page.getByRole("link", { name: "Show all jobs" }).click();
    await rows(page).nth(49).waitFor();
    expect(await search.inputValue()).toBe("");
  });

  test("offers a job's actions in its row", async () => {
    const id = await createJob({ url: media(`slow/${mediaFiles.mp3}?bytes_per_second=1000`) });
    const page = await openDashboard({ at: `/?search=${id}` });
    await page.getByRole("button", { name: /^Cancel/ }).press("Enter");
    await page.getByRole("button", { name: /^Retry/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("title"))).toBe("Retry");
    await untilShown(page, "Job cancelled by user");
    const ended = await waitForJob(ferry, id);
    expect(ended.error_code).toBe("cancelled");
  });

  test("tells a new account how to start", async () => {
    const page = await openDashboard({ key: system.otherApiKey });
    await untilShown(page, /No jobs yet/);
    await untilShown(page, /No shows yet/);
    await untilShown(page, /No jobs ended on these days/);
  });
});

describe("the overview's data", () => {
  const polled = [
    "/dashboard/cluster",
    "/dashboard/stats",
    "/dashboard/daily",
    "/dashboard/batches",
    "/jobs",
  ];
  const asked: string[] = [];
  /** If a page is closed in the meantime, the end of its requests is reported late. */
  const underWay = new Set<Request>();
  const count = (path: string) => asked.filter((one) => one === path).length;
  const counts = () => polled.map(count);
  afterEach(() => {
    asked.length = 0;
    underWay.clear();
  });

  /** Opens the overview with its clock stopped, when idle, and resets the counts. */
  async function openStill(): Promise<Page> {
    const page = await openDashboard({
      before: async (opened) => {
        await opened.clock.install();
        const pathOf = (request: Request) => new URL(request.url()).pathname;
        opened.on("request", (request) => {
          if (!polled.includes(pathOf(request))) return;
          asked.push(pathOf(request));
          underWay.add(request);
        });
        opened.on("requestfinished", (request) => void underWay.delete(request));
      },
    });
    await rows(page).first().waitFor();
    await page.locator("canvas").waitFor();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await passTime(page, 10_000);
    await passTime(page, 1000);
    asked.length = 0;
    return page;
  }

  /** Lets time pass on the page, until the resulting requests are answered and drawn. */
  async function passTime(page: Page, milliseconds: number): Promise<void> {
    const drawing = 100;
    await page.clock.runFor(milliseconds - drawing);
    await page.evaluate(() => 0);
    await expect.poll(() => underWay.size).toBe(0);
    await page.evaluate(() => 0);
    await page.clock.runFor(drawing);
    await page.evaluate(() => 0);
    await expect.poll(() => underWay.size).toBe(0);
  }

  test("is refreshed every ten seconds, and the cluster's counts every second", async () => {
    const page = await openStill();
    for (let second = 1; second <= 10; second++) {
      await passTime(page, 1000);
      expect(count("/dashboard/cluster")).toBe(second);
    }
    expect(counts()).toEqual([10, 1, 1, 1, 1]);
  });

  test("is not refreshed while the tab is hidden, and at once when it is visible again", async () => {
    const page = await openStill();
    await setVisibility(page, "hidden");
    await passTime(page, 60_000);
    expect(counts()).toEqual([0, 0, 0, 0, 0]);
    await setVisibility(page, "visible");
    await expect.poll(counts).toEqual([1, 1, 1, 1, 1]);
  });

  test("does not shift when refreshed", async () => {
    const page = await openStill();
    const name = `Moves nothing ${Date.now()}`;
    await runJob({ url: media(mediaFiles.mp3), filename: name });
    await page.evaluate(() => {
      const shifted: string[] = [];
      Object.assign(window, { shifted });
      // A new job moves the rows below it; nothing else may move.
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          for (const { node } of Reflect.get(entry, "sources")) {
            if (node instanceof Element && node.closest("table.jobs") === null) shifted.push(node.className);
          }
        }
      }).observe({ type: "layout-shift" });
    });
    const tops = () =>
      page
        .locator(".panel, .stat")
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
    const before = await tops();
    await passTime(page, 10_000);
    await untilShown(page, `${name}.mp3`);
    expect(await tops()).toEqual(before);
    expect(await page.evaluate(() => Reflect.get(window, "shifted"))).toEqual([]);
  });

  test("does not leak memory when refreshed ten times", async () => {
    const page = await openStill();
    const session = await page.context().newCDPSession(page);
    const refresh = async (times: number) => {
      for (let time = 0; time < times; time++) await passTime(page, 10_000);
    };
    const measure = async () => {
      await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      const { nodes } = await session.send("Memory.getDOMCounters");
      return { usedSize, nodes };
    };
    await refresh(5);
    const before = await measure();
    await refresh(10);
    const after = await measure();
    expect(count("/jobs")).toBe(15);
    expect(after.nodes - before.nodes).toBeLessThanOrEqual(20);
    expect(after.usedSize - before.usedSize).toBeLessThan(300_000);
  });
});

/** How many of the chart's pixels are coloured rather than grey. */
async function colouredPixels(page: Page): Promise<number> {
  return page.locator("canvas").evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) return 0;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", {
      willReadFrequently: true,
    });
    copy?.drawImage(canvas, 0, 0);
    const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let coloured = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = pixels.slice(at, at + 3);
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured++;
    }
    return coloured;
  });
}
