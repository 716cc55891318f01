/**
 * How many connections a download is worth: one at first, and one more as long as each makes it faster. Times are
 * milliseconds of any one clock.
 */
export interface ConnectionCount {
  wanted(): number;
  /** Bytes arrived, on any connection. */
  heard(bytes: number, nowMs: number): void;
  /** The consumer is the bottleneck: more connections would not help. */
  heldBack(nowMs: number): void;
  /** An additional connection failed: the source may not want several. */
  failed(nowMs: number): void;
}

const connectionsMax = 6;
/** A new connection takes a moment to reach its speed. */
const settlingMs = 250;
const measuringMs = 500;
/** The share of the best possible gain that an additional connection must bring to be kept. */
const worthwhileShare = 0.4;
/** The wait after an attempt that brought nothing; doubles with each further one. */
const restMs = 10_000;

export function createConnectionCount(nowMs: number): ConnectionCount {
  let count = 1;
  let measuringFrom = nowMs + settlingMs;
  /** Received since `measuringFrom`. */
  let bytes = 0;
  /** Bytes per millisecond with one connection fewer; null if that has not been measured. */
  let rateBefore: number | null = null;
  let restsUntil = nowMs;
  let nextRestMs = restMs;

  function measureFrom(from: number): void {
    measuringFrom = Math.max(from, restsUntil);
    bytes = 0;
  }

  function settle(connections: number, now: number): void {
    count = connections;
    rateBefore = null;
    restsUntil = now + nextRestMs;
    nextRestMs *= 2;
    measureFrom(now);
  }

  function judge(rate: number, now: number): void {
    const isWorthwhile = rateBefore === null || rate >= rateBefore * (1 + worthwhileShare / (count - 1));
    if (!isWorthwhile) {
      settle(count - 1, now);
    } else if (count === connectionsMax) {
      settle(count, now);
    } else {
      count += 1;
      rateBefore = rate;
      measureFrom(now + settlingMs);
    }
  }

  return {
    wanted: () => count,
    heard(more, now) {
      if (now < measuringFrom) return;
      bytes += more;
      const elapsed = now - measuringFrom;
      if (elapsed >= measuringMs) judge(bytes / elapsed, now);
    },
    heldBack: (now) => measureFrom(now),
    failed: (now) => settle(1, now),
  };
}
