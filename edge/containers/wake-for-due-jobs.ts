import { longestWaitMs } from "../cluster/jobs-in-work.store.ts";
import type { Dependencies } from "../dependencies.ts";

/** No slot is free: has one more container woken when jobs are due. Where there are none it costs nothing. */
export async function wakeForDueJobs(dependencies: Dependencies): Promise<void> {
  const { settings, registry } = dependencies;
  if (settings.containersMax === 0 || (await longestWaitMs(dependencies)) === null) return;
  await registry.wakeContainer();
}
