import { noteDeadLetters } from "./dead-letters.consumer.ts";
import type { Dependencies } from "./dependencies.ts";
import { consumeWakeUps } from "./dispatch/jobs.consumer.ts";
import { errorFields } from "./log.ts";
import { isOverload, overloadRestSeconds } from "./platform-errors.ts";
import { consumeWebhookWakeUps } from "./webhooks/webhooks.consumer.ts";

/**
 * Passes messages to their queue's consumer. Queues are named after their environment: ferry-webhooks,
 * ferry-staging-webhooks. Failed messages are retried immediately, or later if the platform is overloaded.
 */
export async function consumeMessages(
  batch: MessageBatch,
  dependencies: Dependencies,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  if (batch.queue.endsWith("-dead")) return noteDeadLetters(batch, dependencies);
  try {
    if (batch.queue.endsWith("-webhooks")) await consumeWebhookWakeUps(batch, dependencies, context);
    else await consumeWakeUps(batch, dependencies);
  } catch (error) {
    if (!isOverload(error)) throw error;
    const { log } = dependencies;
    log.warn("Messages are delayed because of an overload", { queue: batch.queue, ...errorFields(error) });
    batch.retryAll({ delaySeconds: overloadRestSeconds });
  }
}
