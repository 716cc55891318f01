import { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { deliverEvent } from "./deliver-event.ts";
import { claimEvents } from "./webhook-event.store.ts";

const wakeUpSchema = z.object({ eventId: z.string() });

/**
 * Claims those of the named events that are due, and delivers them after acknowledging the messages: a receiver that
 * hangs delays no other, and an attempt lost with its Worker is repeated when its claim expires.
 */
export async function consumeWebhookWakeUps(
  batch: MessageBatch,
  dependencies: Dependencies,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const eventIds = batch.messages.flatMap((message) => {
    const wakeUp = wakeUpSchema.safeParse(message.body);
    if (wakeUp.success) return [wakeUp.data.eventId];
    // It ends up among the dead letters by itself. Settling one message takes precedence over settling them all.
    message.retry();
    return [];
  });
  const events = await claimEvents(dependencies, eventIds);
  batch.ackAll();
  context.waitUntil(Promise.all(events.map((event) => deliverEvent(dependencies, event))));
}
