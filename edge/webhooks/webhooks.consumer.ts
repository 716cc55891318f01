import { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { deliverEvent } from "./deliver-event.ts";
import { claimEvents } from "./webhook-event.store.ts";

const wakeUpSchema = z.object({ eventId: z.string() });

/**
 * Claims the events that are due among those named, and tries them after the messages are acknowledged: a receiver that
 * hangs holds up no other, and a try that is lost with its Worker is made again when its claim expires.
 */
export async function consumeWebhookWakeUps(
  batch: MessageBatch,
  dependencies: Dependencies,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const eventIds = batch.messages.flatMap((message) => {
    const wakeUp = wakeUpSchema.safeParse(message.body);
    if (wakeUp.success) return [wakeUp.data.eventId];
    // It ends among the dead letters by itself; what is said of one message goes before what is said of all.
    message.retry();
    return [];
  });
  const events = await claimEvents(dependencies, eventIds);
  batch.ackAll();
  context.waitUntil(Promise.all(events.map((event) => deliverEvent(dependencies, event))));
}
