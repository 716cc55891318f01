import type { Dependencies } from "./dependencies.ts";

/**
 * Says of each message that its consumer failed at too often, and lets it go: nothing depends on a message, for what it
 * was to wake up for is in the database, and is woken up for again.
 */
export function noteDeadLetters(
  batch: Pick<MessageBatch, "queue" | "messages" | "ackAll">,
  { log }: Pick<Dependencies, "log">,
): void {
  for (const { id, body, timestamp } of batch.messages) {
    log.error("A message was given up", {
      queue: batch.queue,
      message_id: id,
      body: JSON.stringify(body),
      sent_at: timestamp.getTime(),
    });
  }
  batch.ackAll();
}
