import { ShowFailure } from "./show-failure.ts";

/** This many bytes have to arrive in this much time … */
export interface LeastPace {
  readonly bytes: number;
  readonly withinMs: number;
}

/** … while others are waiting for the feed. */
export interface Pace {
  /** Aborted with a ShowFailure if the feed is too slow, or with the signal it was created from. */
  readonly signal: AbortSignal;
  came(bytes: number): void;
  /** The same pieces. Time counts while one is awaited, not while it is processed. */
  timed<T>(pieces: AsyncIterable<T>): AsyncGenerator<T>;
}

/** Time is sampled this often per period; each sample counts if a piece is being awaited at that moment. */
const steps = 20;

/** Checks after each period of `least.withinMs`, asking `isWanted` whether anyone is waiting for the feed to end. */
export function createPace(least: LeastPace, isWanted: () => boolean, around: AbortSignal): Pace {
  const lost = new AbortController();
  let bytes = 0;
  let stepsOver = 0;
  let isAwaited = false;

  function step(): void {
    if (!isAwaited) return;
    stepsOver += 1;
    if (stepsOver < steps) return;
    if (bytes < least.bytes && isWanted()) {
      lost.abort(new ShowFailure("timed_out", "the feed is too slow while others are waiting"));
    }
    bytes = 0;
    stepsOver = 0;
  }

  return {
    signal: AbortSignal.any([around, lost.signal]),
    came: (more) => {
      bytes += more;
    },
    async *timed(pieces) {
      const timer = setInterval(step, least.withinMs / steps);
      isAwaited = true;
      try {
        for await (const piece of pieces) {
          isAwaited = false;
          yield piece;
          isAwaited = true;
        }
      } finally {
        clearInterval(timer);
      }
    },
  };
}
