import type { Dependencies } from "../dependencies.ts";
import { dispatchJobs } from "./dispatch-jobs.ts";

/** All wake-ups of a batch are served by reading the queue once. If that fails, they are retried. */
export async function consumeWakeUps(
  batch: Pick<MessageBatch, "ackAll">,
  dependencies: Dependencies,
): Promise<void> {
  await dispatchJobs(dependencies);
  batch.ackAll();
}
