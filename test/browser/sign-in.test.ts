import { describe, expect, test } from "vitest";
import { untilShown, useDashboard } from "./support/dashboard.ts";
import { system } from "./support/system.ts";

const openDashboard = useDashboard();
const keyField = "API key";
const submit = { name: "Open dashboard" };

describe("the dashboard asks for the key", () => {
  test("and stores it once the service has accepted it, for the next visit too", async () => {
    const page = await openDashboard({ key: null });
    await page.getByLabel(keyField).fill(` ${system.apiKey} `);
    await page.getByRole("button", submit).click();
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    expect(await page.evaluate(() => Object.entries(localStorage))).toEqual([
      ["ferry-api-key", system.apiKey],
    ]);
    await page.reload();
    await page.getByRole("navigation", { name: "Views" }).waitFor();
  });

  test.each([
    ["sk_wrong", "Invalid API Key"],
    ["", "Missing x-api-key header"],
    ["ключ 鍵 <b>", "Invalid API Key"],
  ])("and shows the service's message for %j, without storing it", async (key, sentence) => {
    const page = await openDashboard({ key: null });
    await page.getByLabel(keyField).fill(key);
    await page.getByRole("button", submit).click();
    await page.getByRole("alert").getByText(sentence).waitFor();
    expect(await page.getByLabel(keyField).getAttribute("aria-invalid")).toBe("true");
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  test("again if the service rejects the stored one", async () => {
    const page = await openDashboard({ key: `sk_${"0".repeat(29)}` });
    await page.getByRole("alert").getByText("Invalid API Key").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("ferry-api-key"))).toBeNull();
  });

  test("after it was forgotten, in every tab", async () => {
    const page = await openDashboard({ at: "/account" });
    const other = await page.context().newPage();
    await other.goto(`${system.url}/dashboard`);
    await page.getByRole("button", { name: "Forget key" }).click();
    await page.getByLabel(keyField).waitFor();
    await other.getByLabel(keyField).waitFor();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
});

test("one account's data is not shown to the next", async () => {
  const page = await openDashboard({ at: "/account" });
  await untilShown(page, /^demo$/);
  await page.getByRole("button", { name: "Forget key" }).click();
  await page.getByLabel(keyField).fill(system.otherApiKey);
  await page.getByRole("button", submit).click();
  await untilShown(page, /^other$/);
  expect(await page.getByText(/^demo$/).count()).toBe(0);
});
