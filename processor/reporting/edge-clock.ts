/** The time at the edge, which signatures are judged by. */
export interface EdgeClock {
  /** Milliseconds since the Unix epoch, right to about a second once an answer has come. */
  now(): number;
  /** How far the edge's clock is ahead of this machine's, in milliseconds; 0 until an answer has come. */
  aheadMs(): number;
  /** Learns from an answer's `Date` header; one that is missing or not a date is ignored. */
  learn(dateHeader: string | undefined): void;
}

/** A `Date` header counts whole seconds: on average it is this much behind. */
const headerLagMs = 500;

export function createEdgeClock(clock: () => number): EdgeClock {
  let offsetMs = 0;
  return {
    now: () => clock() + offsetMs,
    aheadMs: () => offsetMs,
    learn(dateHeader) {
      const edgeMs = Date.parse(dateHeader ?? "");
      if (!Number.isNaN(edgeMs)) offsetMs = edgeMs + headerLagMs - clock();
    },
  };
}
