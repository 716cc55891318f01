import type { Dependencies } from "./dependencies.ts";

/**
 * Logs each message that its consumer failed at too often, and drops it. Nothing depends on a message: what it was to
 * wake is in the database and will be woken again.
 */
export function noteDeadLetters(
  batch: Pick<MessageBatch, "queue" | "messages" | "ackAll">,
  { log }: Pick<Dependencies, "log">,
): void {
  for (const { id, body, timestamp } of batch.messages) {
    log.error("A message was dropped", {
      queue: batch.queue,
      message_id: id,
      body: JSON.stringify(body),
      sent_at: timestamp.getTime(),
    });
  }
  batch.ackAll();
}
