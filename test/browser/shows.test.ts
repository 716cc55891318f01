import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { answerTo } from "../../client/ferry-client.ts";
import { untilShown, useDashboard } from "./support/dashboard.ts";
import { ferry, media, system } from "./support/system.ts";

const openDashboard = useDashboard();
const title = "The numbered show";
const barOf = (page: Page, name: string) => page.getByRole("progressbar", { name });

test("the form for a show creates a job for every episode, and the show's bar reaches its end", async () => {
  const page = await openDashboard({ at: "/new/show" });
  await page.getByLabel("Show URL").fill(media("feed/rss?episodes=6"));
  await page.getByLabel("Webhook URL").fill(`${system.receiver}/show`);
  await page.getByRole("button", { name: "Create jobs for all episodes" }).click();
  await page.waitForURL(/#\/batches\//);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await untilShown(page, "Show created with 6 episodes");
  const percent = () => barOf(page, "Progress of the batch").getAttribute("aria-valuenow");
  await expect.poll(percent, { timeout: 60_000 }).toBe("100");
  await expect.poll(() => page.locator("table.jobs tbody .badge.good").count(), { timeout: 20_000 }).toBe(6);
  await page
    .getByRole("region", { name: "Webhook deliveries" })
    .getByText("204")
    .waitFor({ timeout: 30_000 });
});

test("a URL without a show gets the service's message next to the field", async () => {
  const page = await openDashboard({ at: "/new/show" });
  await page.getByLabel("Show URL").fill(media("feed/rss?episodes=0"));
  await page.getByRole("button", { name: "Create jobs for all episodes" }).click();
  await untilShown(page, "No episodes found");
});

test.each(["/", "/shows"])("the shows at %s each have a progress bar", async (at) => {
  const page = await openDashboard({ at });
  const { batches } = await answerTo(ferry.GET("/dashboard/batches"));
  const finished = batches.find((batch) => batch.status === "completed");
  expect(finished?.folder).toBe(title);
  await barOf(page, `Progress of ${title}`).first().waitFor();
  expect(await barOf(page, `Progress of ${title}`).first().getAttribute("aria-valuenow")).toBe("100");
  const widths = await barOf(page, `Progress of ${title}`)
    .first()
    .locator("span")
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width > 0));
  expect(widths).toEqual([true, false, false]);
});
