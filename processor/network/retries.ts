import { setTimeout as sleep } from "node:timers/promises";
import { JobFailure } from "../pipeline/job.ts";
import { retryDelayMs } from "../reporting/retry-delay.ts";

/** In a row, the first failure included. */
const failuresMax = 6;

/** Trying a source again: the waits between tries, and how many there are. */
export interface Retries {
  /** Something new came: the tries count from the beginning again. */
  progressed(): void;
  /** Resolves when to try again. Rethrows a failure that another try will not mend, or that came too often. */
  next(failure: unknown): Promise<void>;
}

/** Only `source_error` (5xx, or cut) is tried again. The waits end with the signal's reason. */
export function createRetries(signal: AbortSignal): Retries {
  let failures = 0;
  return {
    progressed: () => {
      failures = 0;
    },
    next: async (failure) => {
      failures += 1;
      const isWorthIt = failure instanceof JobFailure && failure.code === "source_error";
      if (!isWorthIt || failures >= failuresMax) throw failure;
      await sleep(retryDelayMs(failures, Math.random()), undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    },
  };
}
