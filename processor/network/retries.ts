import { JobFailure } from "../pipeline/job.ts";
import { pause } from "../reporting/pause.ts";
import { SourceBusy, SourceChanged, SourceDown } from "./network-failure.ts";
import { pauseAfter, type Patience, type Setback, type Setbacks } from "./patience.ts";
import { SourceTooSlow } from "./source-pace.ts";

/** After this many bytes, pauses begin short again: a source that breaks off after a few must not be asked ever faster. */
const steadyBytes = 64 * 1024;

/** Retrying a source: how long to wait between attempts, and for how long altogether. */
export interface Retries {
  /** So many new bytes arrived since the last call: the time it is waited for begins anew. */
  progressed(bytes: number): void;
  /** Something arrived completely: everything begins anew. */
  succeeded(): void;
  /**
   * Resolves when it is time to try again. Rethrows a failure that a retry will not fix, or that has lasted too long; one
   * that asks for too long a pause becomes `rate_limited`.
   */
  next(failure: unknown): Promise<void>;
}

interface Clock {
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

/** The waits end with the signal's reason. */
export function createRetries(
  signal: AbortSignal,
  patience: Patience,
  { now = () => performance.now(), random = Math.random }: Clock = {},
): Retries {
  let setbacks: Setbacks | null = null;
  let hasProgressed = false;
  let bytesSince = 0;

  function setbackOf(failure: unknown): Setback | null {
    if (failure instanceof SourceBusy) return { kind: "passing", askedMs: failure.waitMs ?? 0 };
    if (failure instanceof SourceDown) return { kind: "passing", askedMs: 0 };
    if (failure instanceof SourceChanged || failure instanceof SourceTooSlow) return null;
    if (!(failure instanceof JobFailure)) return null;
    const isOdd = failure.code === "source_error" || (hasProgressed && failure.code === "connection_timeout");
    return isOdd ? { kind: "odd", askedMs: 0 } : null;
  }

  return {
    progressed(bytes) {
      if (bytes === 0) return;
      hasProgressed = true;
      bytesSince += bytes;
      if (bytesSince >= steadyBytes) setbacks = null;
      else if (setbacks !== null) setbacks = { ...setbacks, sinceMs: now(), odd: 0 };
    },
    succeeded() {
      hasProgressed = true;
      setbacks = null;
    },
    async next(failure) {
      const setback = setbackOf(failure);
      if (setback === null) throw failure;
      const verdict = pauseAfter(setbacks, setback, { nowMs: now(), random: random() }, patience);
      if (verdict === null) throw setback.askedMs > patience.askedMaxMs ? rateLimited(failure) : failure;
      if (setbacks === null) bytesSince = 0;
      ({ setbacks } = verdict);
      await pause(verdict.pauseMs, signal);
      signal.throwIfAborted();
    },
  };
}

function rateLimited(failure: unknown): unknown {
  const isCalledSo = failure instanceof JobFailure && failure.code === "rate_limited";
  return isCalledSo ? failure : new JobFailure("rate_limited", null, { cause: failure });
}
