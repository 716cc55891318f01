import { ShowFailure } from "./show-failure.ts";

/** So many bytes are to come in so much time … */
export interface LeastPace {
  readonly bytes: number;
  readonly withinMs: number;
}

/** … of a feed that others wait for. */
export interface Pace {
  /** Aborted with a ShowFailure once that is over, or with the signal it was made of. */
  readonly signal: AbortSignal;
  came(bytes: number): void;
  /** The same pieces. Time counts while one of them is awaited, and not while it is taken. */
  timed<T>(pieces: AsyncIterable<T>): AsyncGenerator<T>;
}

/** Time is counted in this many steps, each as long as whatever it finds awaited. */
const steps = 20;

/** Looks after each span of `least.withinMs`, asking `isWanted` whether anybody waits for the feed's end. */
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
      lost.abort(new ShowFailure("timed_out", "the feed comes too slowly while others wait"));
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
