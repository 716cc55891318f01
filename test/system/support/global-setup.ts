import type { TestProject } from "vitest/node";
import { findFreePorts } from "../../../scripts/local-system/ports.ts";
import { startTestSystem } from "./test-system.ts";

/** Starts the system that the files share, each with an account of its own. */
export default async function provideSystem(project: TestProject): Promise<() => Promise<void>> {
  const [lookupPort = 0] = await findFreePorts(1);
  const system = await startTestSystem({
    MAX_SOURCE_SILENCE_MS: "3000",
    // More slots than a batch's window, so that only the window is the limit.
    PROCESSOR_SLOTS: "120",
    CONNECTIONS_PER_HOST: "120",
    APPLE_LOOKUP_URL: `http://127.0.0.1:${lookupPort}/lookup`,
  });
  const { url, storageUrl, stateDir } = system;
  project.provide("sharedSystem", { url, storageUrl, stateDir, lookupPort });
  return () => system.stop();
}
