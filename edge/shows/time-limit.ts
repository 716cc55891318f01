/** A time limit that can be restarted; `signal` aborts when it is reached. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  restart(ms: number): void;
  /** Ends it without aborting. */
  end(): void;
}

/** Starts a time limit of `ms` milliseconds, which aborts with a TimeoutError. */
export function startTimeLimit(ms: number): TimeLimit {
  const controller = new AbortController();
  const start = (time: number) =>
    setTimeout(() => controller.abort(new DOMException("Took too long", "TimeoutError")), time);
  let timer = start(ms);
  return {
    signal: controller.signal,
    restart: (time) => {
      clearTimeout(timer);
      timer = start(time);
    },
    end: () => clearTimeout(timer),
  };
}
