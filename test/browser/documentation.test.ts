import { expect, test } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { system } from "./support/system.ts";

const openDashboard = useDashboard();

test("the interactive documentation works under its policy, and sends requests with the given key", async () => {
  const page = await openDashboard();
  await page.goto(`${system.url}/swagger`);
  await page.getByRole("button", { name: "Authorize" }).click();
  const dialog = page.locator(".dialog-ux");
  await dialog.getByRole("textbox").fill(system.apiKey);
  await dialog.getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const usage = page.locator(".opblock", { has: page.locator('[data-path="/usage"]') });
  await usage.getByRole("button", { name: "Get the account's usage" }).click();
  await usage.getByRole("button", { name: "Try it out" }).click();
  await usage.getByRole("button", { name: "Execute" }).click();
  const answer = usage.locator(".live-responses-table .response");
  await expect.poll(() => answer.first().textContent()).toContain('"usage_count"');
});
