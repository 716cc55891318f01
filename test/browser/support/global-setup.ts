import type { TestProject } from "vitest/node";
import { serveBrowser } from "../../../scripts/browser/open-browser.ts";
import { startTestOrigin } from "../../origin/test-origin.ts";
import { startTwoAccountSystem } from "../../system/support/two-account-system.ts";
import { startWebhookReceiver } from "../../system/support/webhook-receiver.ts";

/** Starts the real system, a source, a webhook receiver and a browser for all tests of the dashboard. */
export default async function provideSystem(project: TestProject): Promise<() => Promise<void>> {
  const system = await startTwoAccountSystem();
  const origin = await startTestOrigin();
  const receiver = await startWebhookReceiver();
  const browser = await serveBrowser();
  const { url, storageUrl, apiKey, otherApiKey } = system;
  project.provide("dashboardSystem", {
    url,
    storageUrl,
    apiKey,
    otherApiKey,
    origin: origin.url,
    receiver: receiver.url,
    browser: browser.wsEndpoint(),
  });
  return async () => {
    await browser.close();
    await system.stop();
    await origin.close();
    await receiver.close();
  };
}
