import type { TestProject } from "vitest/node";
import { startTestOrigin } from "../../origin/test-origin.ts";
import { startTwoAccountSystem } from "../../system/support/two-account-system.ts";
import { startWebhookReceiver } from "../../system/support/webhook-receiver.ts";

/** Starts the real system, a source and a webhook receiver for all tests of the dashboard. */
export default async function provideSystem(project: TestProject): Promise<() => Promise<void>> {
  const system = await startTwoAccountSystem();
  const origin = await startTestOrigin();
  const receiver = await startWebhookReceiver();
  const { url, apiKey, otherApiKey } = system;
  project.provide("dashboardSystem", {
    url,
    apiKey,
    otherApiKey,
    origin: origin.url,
    receiver: receiver.url,
  });
  return async () => {
    await system.stop();
    await origin.close();
    await receiver.close();
  };
}
