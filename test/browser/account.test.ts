import { afterAll, describe, expect, test } from "vitest";
import { answerTo } from "../../client/ferry-client.ts";
import { untilShown, useDashboard } from "./support/dashboard.ts";
import { ferry, system } from "./support/system.ts";

const openDashboard = useDashboard();

test("usage shows the service's counts", async () => {
  const usage = await answerTo(ferry.GET("/usage"));
  const page = await openDashboard({ at: "/account" });
  const panel = page.getByRole("region", { name: "Usage" });
  await panel.getByText(usage.client_name, { exact: true }).waitFor();
  await panel.getByText(usage.usage_count.toLocaleString("en"), { exact: true }).waitFor();
});

describe("a custom bucket", () => {
  afterAll(() => ferry.DELETE("/user/bucket"));

  test("is configured, shown without its secrets and removed; errors are shown next to their fields", async () => {
    const page = await openDashboard({ at: "/account" });
    const storage = page.getByRole("region", { name: "Storage" });
    await storage.getByText("Files go to managed storage.").waitFor();
    await storage.getByRole("button", { name: "Use your own bucket" }).click();
    await storage.getByRole("button", { name: "Test and use this bucket" }).click();
    for (const sentence of ["Missing endpoint", "Missing bucket", "Missing access_key_id"])
      await storage.getByText(sentence).waitFor();

    await storage.getByLabel("Endpoint").fill(`${system.storageUrl}/cdn-cgi/local/r2/s3`);
    await storage.getByLabel("Bucket", { exact: true }).fill("ferry-media");
    await storage.getByLabel("Access key id").fill("ferry-local");
    await storage.getByLabel("Secret access key").fill("wrong-secret");
    await storage.getByRole("button", { name: "Test and use this bucket" }).click();
    await storage.getByRole("alert").locator(".notice").waitFor();

    await storage.getByLabel("Secret access key").fill("ferry-local-secret");
    await storage.getByRole("button", { name: "Test and use this bucket" }).click();
    await untilShown(page, "Bucket configured: ferry-media");
    await storage.getByText("ferry-media", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("ferry-local-secret");

    await storage.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove bucket" }).click();
    await storage.getByText("Files go to managed storage.").waitFor();
  });
});

test("the webhook secret is shown on request, and replaced after a confirmation", async () => {
  const { secret } = await answerTo(ferry.GET("/user/webhook-secret"));
  const page = await openDashboard({ at: "/webhooks" });
  await page.getByRole("button", { name: "Show" }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText(secret, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Replace" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replace secret" }).click();
  await untilShown(page, /The previous one also signs until/);
  const rotated = await answerTo(ferry.GET("/user/webhook-secret"));
  expect(rotated.secret).not.toBe(secret);
  await page.getByText(rotated.secret, { exact: true }).waitFor();
});
