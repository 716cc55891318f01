/**
 * How many connections a download is worth: one to begin with, and one more as long as each brings the bytes faster.
 * Times are milliseconds of any one clock.
 */
export interface ConnectionCount {
  wanted(): number;
  /** Bytes came, over whichever connection. */
  heard(bytes: number, nowMs: number): void;
  /** Bytes would have come but for whoever takes them: more connections would bring no more. */
  heldBack(nowMs: number): void;
  /** A further connection failed: the source may not want several. */
  failed(nowMs: number): void;
}

const connectionsMax = 6;
/** A new connection takes a moment to get to its speed. */
const settlingMs = 250;
const measuringMs = 500;
/** Of what one more of so many connections could bring at best, this share must come for it to be kept. */
const worthwhileShare = 0.4;
/** After a try that brought nothing, the next one is so far away; after each further one, twice as far. */
const restMs = 10_000;

export function createConnectionCount(nowMs: number): ConnectionCount {
  let count = 1;
  let measuringFrom = nowMs + settlingMs;
  /** Since then. */
  let bytes = 0;
  /** Bytes a millisecond with one connection fewer; null while none was tried. */
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
