import { setTimeout as sleep } from "node:timers/promises";
import { JobFailure } from "../pipeline/job.ts";
import { retryDelayMs } from "../reporting/retry-delay.ts";
import { SourceBusy, SourceChanged } from "./network-failure.ts";
import { SourceTooSlow } from "./source-pace.ts";

/** Consecutive failures, including the first. */
const failuresMax = 6;
/** A source that asks for a longer pause is not retried. */
const waitMaxMs = 60_000;

/** Retrying a source: how long to wait between attempts, and how often. */
export interface Retries {
  /** New data arrived: attempts are counted from the beginning again. */
  progressed(): void;
  /**
   * Resolves when it is time to try again. Rethrows a failure that a retry will not fix, or that occurred too often.
   */
  next(failure: unknown): Promise<void>;
}

/**
 * Retried are `source_error` (5xx, or cut off), a source that asks for a pause, and, once data has arrived, one that
 * cannot be reached. The waits end with the signal's reason.
 */
export function createRetries(signal: AbortSignal): Retries {
  let failures = 0;
  let hasProgressed = false;

  function isWorthIt(failure: unknown): boolean {
    if (failure instanceof SourceChanged || failure instanceof SourceTooSlow) return false;
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
