import { env } from "cloudflare:workers";
import { type Dependencies, dependenciesOf } from "../../../edge/dependencies.ts";
import { createLog } from "../../../edge/log.ts";

/** A clock that only a test moves. */
export interface TestClock {
  now: number;
}

const queued = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };

/**
 * Accepts messages that nothing consumes: the Worker's own consumers would race the test's, and what they wake sweeps by
 * the real clock.
 */
export const silentQueue: Queue = {
  metrics: () => Promise.reject(new Error("Nothing asks for metrics")),
  send: () => Promise.resolve(queued),
  sendBatch: () => Promise.resolve(queued),
};

/** The real dependencies on the test's own bindings, with the test's clock, a quiet log and messages that are not delivered. */
export function testDependencies(clock: TestClock = { now: Date.UTC(2026, 0, 31, 12) }): Dependencies {
  const read = () => clock.now;
  return {
    ...dependenciesOf(env),
    clock: read,
    log: createLog("error", read),
    wakeUps: silentQueue,
    webhooks: silentQueue,
  };
}
