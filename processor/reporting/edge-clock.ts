/** The edge's time, by which signatures are judged. */
export interface EdgeClock {
  /** Milliseconds since the Unix epoch, accurate to about a second once a response has arrived. */
  now(): number;
  /** Milliseconds by which the edge's clock is ahead of this machine's; 0 until a response has arrived. */
  aheadMs(): number;
  /** Learns from a response's `Date` header; a missing or invalid one is ignored. */
  learn(dateHeader: string | undefined): void;
}

/** A `Date` header has whole seconds: on average it is this much behind. */
const headerLagMs = 500;

/** `clock` is this machine's, in milliseconds since the Unix epoch. */
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
