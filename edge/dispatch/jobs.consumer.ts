import type { Dependencies } from "../dependencies.ts";
import { dispatchJobs } from "./dispatch-jobs.ts";

/** However many wake-ups come together, one look at the line serves them all. */
export async function consumeWakeUps(batch: MessageBatch, dependencies: Dependencies): Promise<void> {
  await dispatchJobs(dependencies);
  batch.ackAll();
}
