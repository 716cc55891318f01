import { expect, test, vi } from "vitest";
import { consumeMessages } from "../../edge/consume-messages.ts";
import { quietCluster } from "./support/quiet-cluster.ts";
import { silentLog } from "./support/silent-log.ts";
import { testDependencies } from "./support/test-dependencies.ts";

const context = { waitUntil: () => undefined };

function batchOf(queue: string, bodies: readonly unknown[]) {
  const messages = bodies.map((body, index) => ({
    id: `message-${index}`,
    timestamp: new Date(0),
    attempts: 1,
    body,
    ack: vi.fn(),
    retry: vi.fn(),
  }));
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
  return { queue, messages, metadata, ackAll: vi.fn(), retryAll: vi.fn() };
}

const withRegistryThat = (fault: Error) => ({
  ...testDependencies(),
  ...quietCluster({ grantSlots: () => Promise.reject(fault) }),
  log: silentLog,
});

test("messages are delayed while the registry or the database is overloaded", async () => {
  const batch = batchOf("ferry-jobs", [{ reason: "sweep" }]);
  const overloaded = Object.assign(new Error("Too many requests"), { overloaded: true });
  await consumeMessages(batch, withRegistryThat(overloaded), context);
  expect(batch.retryAll).toHaveBeenCalledWith({ delaySeconds: 5 });
  expect(batch.ackAll).not.toHaveBeenCalled();
});

test("messages are retried at once if anything else fails", async () => {
  const batch = batchOf("ferry-staging-jobs", [{ reason: "sweep" }]);
  const failing = withRegistryThat(new Error("Network connection lost."));
  await expect(consumeMessages(batch, failing, context)).rejects.toThrow("Network connection lost.");
  expect([batch.retryAll.mock.calls, batch.ackAll.mock.calls]).toEqual([[], []]);
});

test("one unreadable message of ten is retried alone, and the other nine are processed", async () => {
  const bodies = Array.from({ length: 10 }, (_, index) =>
    index === 3 ? { event: "?" } : { eventId: `event-${index}` },
  );
  const batch = batchOf("ferry-webhooks", bodies);
  await consumeMessages(batch, testDependencies(), context);
  expect(batch.messages.map(({ retry }) => retry.mock.calls.length)).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  expect(batch.ackAll).toHaveBeenCalledOnce();
});
