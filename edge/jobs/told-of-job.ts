import type { ToldOfJob } from "../cluster/job-news.ts";
import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import type { JobRow } from "./find-job.store.ts";

/**
 * The latest report of the node that holds a job; null if there is none. It is kept only in the registry's memory: a
 * registry that is restarting has nothing to tell.
 */
export async function toldOfJob(
  { registry, log }: Pick<Dependencies, "registry" | "log">,
  { id, status, claim }: Pick<JobRow, "id" | "status" | "claim">,
): Promise<ToldOfJob | null> {
  if (status !== "Processing") return null;
  try {
    return await registry.toldOfJob(id, claim);
  } catch (error) {
    log.warn("Progress could not be read", { job_id: id, ...errorFields(error) });
    return null;
  }
}
