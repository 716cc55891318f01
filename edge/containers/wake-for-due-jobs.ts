import { longestWaitMs } from "../cluster/jobs-in-work.store.ts";
import type { Dependencies } from "../dependencies.ts";

/**
 * Called when no more slots can be given: wakes one more container if jobs are due that only lack one. Free of charge in
 * deployments without containers.
 */
export async function wakeForDueJobs(dependencies: Dependencies): Promise<void> {
  const { settings, registry } = dependencies;
  if (settings.containersMax === 0 || (await longestWaitMs(dependencies)) === null) return;
  await registry.wakeContainer();
}
