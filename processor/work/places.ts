/** A semaphore: so many may be inside at once, the others wait in order of arrival. */
export interface Places {
  /** Waits for a place, runs the work in it and leaves. Rejects with the signal's reason while waiting. */
  within<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /**
   * Waits for a place and resolves to a function that leaves it; further calls do nothing. Rejects as `within` does.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Whether one would have to wait now. */
  areTaken(): boolean;
  occupancy(): { readonly total: number; readonly used: number; readonly waiting: number };
}

/**
 * A node-wide limit for one stage. A job waiting here may hold a place in an earlier stage, but never in a later one
 * that those inside need to make progress, so some job can always continue.
 */
export function createPlaces(count: number): Places {
  let free = count;
  const queue = new Set<() => void>();

  function leave(): void {
    const [next] = queue;
    if (next === undefined) {
      free += 1;
      return;
    }
    queue.delete(next);
    next();
  }

  function whenFree(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = () => {
        signal.removeEventListener("abort", abandon);
        resolve();
      };
      const abandon = () => {
        queue.delete(give);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abandon, { once: true });
      queue.add(give);
    });
  }

  async function enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else await whenFree(signal);
    let isInside = true;
    return () => {
      if (isInside) leave();
      isInside = false;
    };
  }

  const places: Places = {
    areTaken: () => free === 0,
    enter,
    async within(signal, work) {
      const leavePlace = await places.enter(signal);
      try {
        return await work();
      } finally {
        leavePlace();
      }
    },
    occupancy: () => ({ total: count, used: count - free, waiting: queue.size }),
  };
  return places;
}

/** How many of the node's jobs may be in each stage at once. */
export interface StagePlaces {
  readonly downloads: Places;
  readonly encodes: Places;
  readonly uploads: Places;
}
