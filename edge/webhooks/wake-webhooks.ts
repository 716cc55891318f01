import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";

/** As many as a queue takes at once. */
const messagesMax = 100;

/** Asks a consumer to try events. Their rows are the outbox: an unsent message costs a wait until the next sweep. */
export async function wakeWebhooks(
  { webhooks, log }: Pick<Dependencies, "webhooks" | "log">,
  eventIds: readonly string[],
  delaySeconds = 0,
): Promise<void> {
  for (let sent = 0; sent < eventIds.length; sent += messagesMax) {
    const messages = eventIds.slice(sent, sent + messagesMax).map((eventId) => ({ body: { eventId } }));
    try {
      await webhooks.sendBatch(messages, { delaySeconds });
    } catch (error) {
      log.warn("Wake-ups for webhooks could not be sent", { events: messages.length, ...errorFields(error) });
    }
  }
}
