import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { answerTo, type Job } from "../../client/ferry-client.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { untilShown, useDashboard } from "./support/dashboard.ts";
import { ferry, media, runJob, system } from "./support/system.ts";

const openDashboard = useDashboard();
const hostile = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;

let completed: Job;
let failed: Job;
let batchId: string;
beforeAll(async () => {
  completed = await runJob({ url: media(mediaFiles.mp3), webhook_url: `${system.receiver}/views` });
  failed = await runJob({ url: media(`status/404?${encodeURIComponent(hostile)}`) });
  const { batch_id: id } = await answerTo(
    ferry.POST("/jobs/bulk", { body: { jobs: [{ url: media(mediaFiles.mp3) }], folder: "<b>bold</b>" } }),
  );
  batchId = id;
});

const views: readonly [name: string, at: () => string, ready: string | RegExp][] = [
  ["overview", () => "/", "File or source"],
  ["jobs that match nothing", () => "/?search=https://none.example", "No matching jobs."],
  ["completed job", () => `/jobs/${completed.id}`, "Stored as"],
  ["failed job", () => `/jobs/${failed.id}`, "Video unavailable"],
  ["batch", () => `/batches/${batchId}`, "Batch id"],
  ["shows", () => "/shows", "Podcast shows"],
  ["new job", () => "/new", "Webhook URL"],
  ["new show", () => "/new/show", "Show URL"],
  ["new jobs", () => "/new/list", "One per line"],
  ["webhooks", () => "/webhooks", "Send again"],
  ["account", () => "/account", "Jobs created"],
  ["nowhere", () => "/nothing/here", "Nothing here"],
];

test("every view is accessible, in both themes and on a phone", async () => {
  const page = await openDashboard({ context: { colorScheme: "light" } });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  for (const [view, at, ready] of views) {
    await page.evaluate((hash) => (location.hash = hash), at());
    await untilShown(page, ready);
    expect(await seriousFindings(page), `${view}, light`).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await seriousFindings(page, ["color-contrast"]), `${view}, dark`).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(width, { message: `${view}, on a telephone` }).toBe(390);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  }
});

test("the sign-in page is accessible too", async () => {
  const page = await openDashboard({ key: null });
  await page.getByLabel("API key").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

test("the theme follows the browser until another one is chosen, which is remembered", async () => {
  const page = await openDashboard({ context: { colorScheme: "dark" } });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByRole("button", { name: "Use light theme" }).waitFor();
  const dark = await ground();
  await page.getByRole("button", { name: "Use light theme" }).click();
  expect(await ground()).not.toBe(dark);
  await page.reload();
  await page.getByRole("button", { name: "Use dark theme" }).waitFor();
  expect(await ground()).not.toBe(dark);
});

test("the chosen theme is applied before the first paint, without waiting for the dashboard to run", async () => {
  const page = await openDashboard({
    context: { colorScheme: "light" },
    before: async (opened) => {
      await opened.addInitScript(() => localStorage.setItem("ferry-theme", "dark"));
      await opened.route("**/assets/dashboard-*.js", (route) => route.abort());
    },
  });
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await expect.poll(scheme).toBe("dark");
  expect(await page.locator("#app").innerHTML()).toBe("");
});

test("a new job can be created by keyboard only", async () => {
  const page = await openDashboard();
  await untilShown(page, "File or source");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  for (let steps = 0; steps < 12 && (await focused()) !== "New job"; steps++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByLabel("URL", { exact: true }).waitFor();
  await page.getByLabel("URL", { exact: true }).focus();
  await page.keyboard.type(media(mediaFiles.mp3));
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/jobs\//);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

test("a client's text is shown as text only, wherever it appears", async () => {
  const page = await openDashboard({ at: `/jobs/${failed.id}` });
  await untilShown(page, "Video unavailable");
  await page.goto(`${system.url}/dashboard#/batches/${batchId}`);
  await page.getByRole("heading", { name: "<b>bold</b>" }).waitFor();
  await page.route("**/jobs?*", async (route) => {
    const answer = await route.fetch();
    const list: { jobs: object[] } = await answer.json();
    const jobs = list.jobs.map((job) => ({
      ...job,
      url: `javascript:${hostile}`,
      status: "Failed",
      error: hostile,
      storage_key: hostile,
    }));
    await route.fulfill({ json: { ...list, jobs } });
  });
  await page.goto(`${system.url}/dashboard#/`);
  await untilShown(page, hostile);
  expect(await page.title()).not.toBe("run");
  expect(await page.locator("main img, main script, main b").count()).toBe(0);
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
});

test("the page shows that it is offline, keeps its data, and recovers", async () => {
  const page = await openDashboard();
  await untilShown(page, "File or source");
  await page.context().setOffline(true);
  await untilShown(page, /You are offline\. Last update at \d\d:\d\d:\d\d\./);
  expect(await page.locator("table.jobs tbody tr").count()).toBeGreaterThan(0);
  await page.context().setOffline(false);
  await page.getByText(/You are offline/).waitFor({ state: "detached" });
});

test("a chart that could not be loaded is drawn once the network is back", async () => {
  const chart = "**/assets/draw-bars-*";
  const page = await openDashboard({ before: (opened) => opened.route(chart, (route) => route.abort()) });
  await untilShown(page, "File or source");
  await page.context().setOffline(true);
  await untilShown(page, /You are offline/);
  expect(await page.locator(".daily-canvas canvas[width]").count()).toBe(0);
  await page.unroute(chart);
  await page.context().setOffline(false);
  await page.locator(".daily-canvas canvas[width]").waitFor();
});

test("the page shows that the service does not respond, and why on the first visit", async () => {
  const page = await openDashboard({
    before: (opened) =>
      opened.route("**/dashboard/**", (route) =>
        route.request().headers()["x-api-key"] === undefined ? route.continue() : route.abort(),
      ),
  });
  await untilShown(page, "Ferry did not respond. Check the connection and try again.");
  await untilShown(page, /Ferry does not respond; retrying\./);
});

test("rejected data stays, shows its age, and is requested again after the Retry-After", async () => {
  let refused = 0;
  let isRefusing = false;
  const page = await openDashboard({
    before: async (opened) => {
      await opened.clock.install();
      await opened.route("**/dashboard/cluster", (route) => {
        if (!isRefusing) return route.continue();
        refused++;
        const body = { error: "Too many requests", code: "too_many_requests", request_id: "r" };
        return route.fulfill({ status: 429, headers: { "retry-after": "10" }, json: body });
      });
    },
  });
  const downloading = page.getByRole("region", { name: "Right now" }).locator("dd").first();
  await expect.poll(() => downloading.textContent()).toMatch(/^\d+$/);
  isRefusing = true;
  await page.clock.runFor(1500);
  await untilShown(page, /^Too many requests\. Last update at \d\d:\d\d:\d\d\.$/);
  expect(await downloading.textContent()).toMatch(/^\d+$/);
  const before = refused;
  await page.clock.runFor(8000);
  expect(refused).toBe(before);
  isRefusing = false;
  await page.clock.runFor(3000);
  await page.getByText(/^Too many requests/).waitFor({ state: "detached" });
});

/** The serious findings of all axe rules, or of those that depend on the theme. */
async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const options = rules === undefined ? {} : { runOnly: [...rules] };
  const { violations } = await page.evaluate(
    (how): Promise<AxeResults> => Reflect.get(window, "axe").run(how),
    options,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
}
