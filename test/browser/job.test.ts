import { buffer } from "node:stream/consumers";
import type { Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { answerTo, type Job } from "../../client/ferry-client.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { setVisibility, untilShown, useDashboard } from "./support/dashboard.ts";
import { createJob, ferry, media, runJob, system } from "./support/system.ts";

const openDashboard = useDashboard();
const show = (id: string) => answerTo(ferry.GET("/jobs/{id}", { params: { path: { id } } }));

describe("a completed job", () => {
  let job: Job;
  beforeAll(async () => {
    job = await runJob({
      url: media(mediaFiles.mp4),
      folder: "detail",
      filename: "Harbour",
      webhook_url: `${system.receiver}/detail`,
    });
  });
  const open = (grants: string[] = []) =>
    openDashboard({ at: `/jobs/${job.id}`, context: { permissions: grants, acceptDownloads: true } });

  test("shows where its file is, its media, its options and how long each stage took", async () => {
    const page = await open();
    await page.getByRole("heading", { level: 1, name: "Harbour.mp4" }).waitFor();
    await expect.poll(() => page.title()).toBe("Harbour.mp4 · Ferry");
    for (const text of ["detail/Harbour.mp4", "640 × 360", "0:06", "h264"]) await untilShown(page, text);
    const stages = page.getByRole("region", { name: "Time" }).locator("dt");
    expect(await stages.allTextContents()).toEqual(["Queued", "Download", "Mux", "Upload"]);
    const width = await page
      .locator(".timing-bar.download")
      .evaluate((bar) => bar.getBoundingClientRect().width);
    expect(width).toBeGreaterThan(0);
  });

  test("is downloaded without leaving the page", async () => {
    const page = await open();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("Harbour.mp4");
    expect((await buffer(await download.createReadStream())).length).toBe(job.file_size);
    expect(page.url()).toContain(job.id);
  });

  test("copies a working link to the clipboard", async () => {
    const page = await open(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await untilShown(page, "Copied the link");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const response = await fetch(link);
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, job.file_size]);
  });

  test("lists its webhook deliveries, and resends one", async () => {
    const page = await open();
    const table = page.getByRole("region", { name: "Webhook deliveries" });
    await table.getByText("204").first().waitFor();
    await table.getByRole("button", { name: "Send again" }).first().click();
    await page.getByRole("status").getByText(/./).first().waitFor();
    await expect.poll(() => table.locator("tbody tr").count(), { timeout: 20_000 }).toBe(2);
  });

  test("deletes its file only after a confirmation, and shows that everywhere", async () => {
    const other = await openDashboard({ at: `/jobs/${job.id}`, before: (opened) => opened.clock.install() });
    await other.getByRole("button", { name: "Delete file" }).waitFor();
    const page = await open();
    await page.getByRole("button", { name: "Delete file" }).press("Enter");
    await page.getByRole("dialog").getByText("cannot be brought back").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await show(job.id)).storage_key).toBe("detail/Harbour.mp4");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Delete file");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete file" }).press("Enter");
    await untilShown(page, "The file was deleted.");
    // The button is gone, and the focus moves to the view.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    await other.clock.runFor(11_000);
    await untilShown(other, "The file was deleted.");
    expect((await show(job.id)).storage_key).toBeNull();
    expect(await page.getByRole("button", { name: "Download" }).count()).toBe(0);
  });
});

test("a job in progress shows its progress by events, without polling, and is cancelled", async () => {
  const id = await createJob({ url: media(`slow/${mediaFiles.mp4}?bytes_per_second=40000`) });
  const asked: string[] = [];
  const page = await openDashboard({
    at: `/jobs/${id}`,
    before: async (opened) => opened.on("request", (request) => asked.push(new URL(request.url()).pathname)),
  });
  const bar = page.getByRole("progressbar", { name: "Progress of the job" });
  const percent = async () => Number(await bar.getAttribute("value"));
  await expect.poll(percent, { timeout: 20_000 }).toBeGreaterThan(0);
  const first = await percent();
  await expect.poll(percent, { timeout: 20_000 }).toBeGreaterThan(first + 5);
  expect(await page.locator("[aria-current=step]").textContent()).toBe("Downloading");
  await untilShown(page, /kB\/s/);
  // The events may have been requested again: a connection can end.
  expect(asked).toContain(`/jobs/${id}/events`);
  expect(asked.filter((path) => path === `/jobs/${id}`)).toHaveLength(1);
  await page.getByRole("button", { name: "Cancel job" }).click();
  await page.getByRole("heading", { name: "Job cancelled by user" }).waitFor();
});

test.each([
  ["by events", false],
  ["by polling if events are blocked", true],
])("a job's end appears %s, without a reload", async (_, isBlocked) => {
  const id = await createJob({ url: media(`slow/${mediaFiles.mp3}?bytes_per_second=30000`) });
  const page = await openDashboard({
    at: `/jobs/${id}`,
    before: async (opened) => isBlocked && opened.route("**/events", (route) => route.abort()),
  });
  await page.getByRole("button", { name: "Download" }).waitFor({ timeout: 40_000 });
});

test("the stream of a job's events is closed while the tab is hidden", async () => {
  const id = await createJob({ url: media(`slow/${mediaFiles.mp3}?bytes_per_second=1000`) });
  let streams = 0;
  const page = await openDashboard({
    at: `/jobs/${id}`,
    before: async (opened) => {
      const isStream = (request: Request) => request.url().endsWith("/events");
      opened.on("request", (request) => (streams += isStream(request) ? 1 : 0));
      opened.on("requestfailed", (request) => (streams -= isStream(request) ? 1 : 0));
    },
  });
  await expect.poll(() => streams).toBe(1);
  await setVisibility(page, "hidden");
  await expect.poll(() => streams).toBe(0);
  await setVisibility(page, "visible");
  await expect.poll(() => streams).toBe(1);
  await answerTo(ferry.POST("/jobs/{id}/cancel", { params: { path: { id } } }));
  await page.getByRole("heading", { name: "Job cancelled by user" }).waitFor();
});

test("a failed job shows the reason and advice, and is retried as a new one", async () => {
  const failed = await runJob({ url: media("status/404?retried") });
  const page = await openDashboard({ at: `/jobs/${failed.id}` });
  const reason = page.getByRole("region", { name: "Why it failed" });
  await reason.getByRole("heading", { name: "Video unavailable" }).waitFor();
  await reason.getByText(/deleted, is private, or the URL is wrong/).waitFor();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.waitForURL((url) => url.hash.startsWith("#/jobs/") && !url.hash.includes(failed.id));
  const id = page.url().split("/").at(-1) ?? "";
  expect((await show(id)).url).toBe(failed.url);
});

test.each([
  ["00000000-0000-7000-8000-000000000000", "Job not found"],
  ["nonsense", "Invalid job id"],
])("the URL of job %s shows the service's message", async (id, sentence) => {
  const page = await openDashboard({ at: `/jobs/${id}` });
  await untilShown(page, sentence);
  await page.getByRole("heading", { level: 1, name: "Job" }).waitFor();
});

describe("a batch", () => {
  test("shows its progress and its jobs, and is cancelled after a confirmation", async () => {
    const jobs = Array.from({ length: 30 }, (_, index) => ({
      url: media(`slow/${mediaFiles.mp3}?bytes_per_second=2000&n=${index}`),
    }));
    const { batch_id: id } = await answerTo(
      ferry.POST("/jobs/bulk", { body: { jobs, folder: "long batch" } }),
    );
    const page = await openDashboard({ at: `/batches/${id}` });
    await page.getByRole("heading", { name: "long batch" }).waitFor();
    expect(await page.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("0");
    await page.getByRole("button", { name: "Cancel batch" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel batch" }).click();
    await untilShown(page, "30 of 30");
    await untilShown(page, "30 failed");
    expect(await page.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("100");
    const batch = await answerTo(ferry.GET("/batch/{id}", { params: { path: { id } } }));
    expect(batch.status).toBe("finished");
  });
});
