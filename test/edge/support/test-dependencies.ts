import { env } from "cloudflare:workers";
import { type Dependencies, dependenciesOf } from "../../../edge/dependencies.ts";
import { createLog } from "../../../edge/log.ts";

/** A clock that moves only when a test moves it. */
export interface TestClock {
  now: number;
}

/** The real dependencies on the test's own bindings, with a clock of the test's and a quiet log. */
export function testDependencies(clock: TestClock = { now: Date.UTC(2026, 0, 31, 12) }): Dependencies {
  const read = () => clock.now;
  return { ...dependenciesOf(env), clock: read, log: createLog("error", read) };
}
