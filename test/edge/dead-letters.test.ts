import { expect, test } from "vitest";
import { noteDeadLetters } from "../../edge/dead-letters.consumer.ts";
import { createLog } from "../../edge/log.ts";
import type { Log } from "../../edge/log.ts";

test("each dead letter is logged with its queue, and acknowledged", () => {
  const logged: unknown[] = [];
  const log: Log = {
    ...createLog("error", () => 0),
    error: (message, fields) => void logged.push({ message, ...fields }),
  };
  let acknowledged = 0;
  const message = { timestamp: new Date(5), attempts: 4, ack: () => undefined, retry: () => undefined };
  noteDeadLetters(
    {
      queue: "ferry-jobs-dead",
      messages: [
        { ...message, id: "one", body: { reason: "sweep" } },
        { ...message, id: "two", body: { reason: "job_created" } },
      ],
      ackAll: () => (acknowledged += 1),
    },
    { log },
  );
  const seen = { message: "A message was dropped", queue: "ferry-jobs-dead", sent_at: 5 };
  expect(logged).toEqual([
    { ...seen, message_id: "one", body: '{"reason":"sweep"}' },
    { ...seen, message_id: "two", body: '{"reason":"job_created"}' },
  ]);
  expect(acknowledged).toBe(1);
});
