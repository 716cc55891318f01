import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";

/**
 * Tells the watchers of jobs that the rows have changed. A watcher that misses this finds out by itself some seconds
 * later.
 */
export async function tellWatchers(
  { registry, log }: Pick<Dependencies, "registry" | "log">,
  jobIds: readonly string[],
): Promise<void> {
  if (jobIds.length === 0) return;
  try {
    await registry.jobsMoved(jobIds);
  } catch (error) {
    log.info("Watchers could not be notified of jobs", { jobs: jobIds.length, ...errorFields(error) });
  }
}
