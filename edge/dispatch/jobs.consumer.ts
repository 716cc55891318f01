import type { Dependencies } from "../dependencies.ts";
import { dispatchJobs } from "./dispatch-jobs.ts";

/** All wake-ups of a batch are served by one look at the queue. If that fails, they are retried. */
export async function consumeWakeUps(
  batch: Pick<MessageBatch, "ackAll">,
  dependencies: Dependencies,
): Promise<void> {
  await dispatchJobs(dependencies);
  batch.ackAll();
}
