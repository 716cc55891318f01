import type { LiveState } from "../cluster/job-news.ts";
import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import type { JobRow } from "./find-job.store.ts";

/**
 * The latest report of the node that holds a job; null if there is none. It is kept only in the registry's memory: a
 * registry that is restarting has nothing to tell.
 */
export async function liveState(
  { registry, log }: Pick<Dependencies, "registry" | "log">,
  { id, status, claim }: Pick<JobRow, "id" | "status" | "claim">,
): Promise<LiveState | null> {
  if (status !== "Processing") return null;
  try {
    return await registry.liveState(id, claim);
  } catch (error) {
    log.warn("Progress could not be read", { job_id: id, ...errorFields(error) });
    return null;
  }
}
