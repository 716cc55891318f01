/** A time limit that can be restarted while the work under it continues. */
export interface Countdown {
  /** Aborted when the time is up, or with the signal it was created from. */
  readonly signal: AbortSignal;
  isOver(): boolean;
  restart(milliseconds: number): void;
  stop(): void;
}

/** Starts a time limit; it also aborts with `around`. */
export function startCountdown(milliseconds: number, around: AbortSignal): Countdown {
  const limit = new AbortController();
  const begin = (duration: number) => setTimeout(() => limit.abort(new Error("time is up")), duration);
  let timer = begin(milliseconds);
  return {
    signal: AbortSignal.any([around, limit.signal]),
    isOver: () => limit.signal.aborted,
    restart: (duration) => {
      clearTimeout(timer);
      timer = begin(duration);
    },
    stop: () => clearTimeout(timer),
  };
}
