import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";

/** Lets the watchers of jobs know that the rows have moved. One that is not told finds out by itself, some seconds later. */
export async function tellWatchers(
  { registry, log }: Pick<Dependencies, "registry" | "log">,
  jobIds: readonly string[],
): Promise<void> {
  if (jobIds.length === 0) return;
  try {
    await registry.jobsMoved(jobIds);
  } catch (error) {
    log.info("Watchers could not be told of jobs", { jobs: jobIds.length, ...errorFields(error) });
  }
}
