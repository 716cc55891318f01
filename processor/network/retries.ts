import { setTimeout as sleep } from "node:timers/promises";
import { JobFailure } from "../pipeline/job.ts";
import { retryDelayMs } from "../reporting/retry-delay.ts";
import { SourceBusy, SourceChanged } from "./network-failure.ts";

/** In a row, the first failure included. */
const failuresMax = 6;
/** A source that asks for a longer pause is let be. */
const waitMaxMs = 60_000;

/** Trying a source again: the waits between tries, and how many there are. */
export interface Retries {
  /** Something new came: the tries count from the beginning again. */
  progressed(): void;
  /** Resolves when to try again. Rethrows a failure that another try will not mend, or that came too often. */
  next(failure: unknown): Promise<void>;
}

/**
 * What is tried again: `source_error` (5xx, or cut), a source that asks for a pause, and, once something came, one
 * that cannot be reached. The waits end with the signal's reason.
 */
export function createRetries(signal: AbortSignal): Retries {
  let failures = 0;
  let hasProgressed = false;

  function isWorthIt(failure: unknown): boolean {
    if (failure instanceof SourceChanged) return false;
    if (failure instanceof SourceBusy) return (failure.waitMs ?? 0) <= waitMaxMs;
    if (!(failure instanceof JobFailure)) return false;
    return failure.code === "source_error" || (hasProgressed && failure.code === "connection_timeout");
  }

  return {
    progressed: () => {
      failures = 0;
      hasProgressed = true;
    },
    next: async (failure) => {
      failures += 1;
      if (!isWorthIt(failure) || failures >= failuresMax) throw failure;
      const askedMs = failure instanceof SourceBusy ? (failure.waitMs ?? 0) : 0;
      const delayMs = Math.max(askedMs, retryDelayMs(failures, Math.random()));
      await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
  };
}
