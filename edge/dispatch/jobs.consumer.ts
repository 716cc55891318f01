import type { Dependencies } from "../dependencies.ts";
import { dispatchJobs } from "./dispatch-jobs.ts";

/** However many wake-ups come together, one look at the line serves them all. Where it fails they come again. */
export async function consumeWakeUps(
  batch: Pick<MessageBatch, "ackAll">,
  dependencies: Dependencies,
): Promise<void> {
  await dispatchJobs(dependencies);
  batch.ackAll();
}
