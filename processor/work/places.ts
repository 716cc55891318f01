/** So many at once; the others wait in the order in which they came. */
export interface Places {
  /** Waits for a place, works in it and leaves it. Rejects with the signal's reason while it waits. */
  within<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** Waits for a place; calling what this resolves to leaves it, the first time. Rejects as `within` does. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Whether one would have to wait now. */
  areTaken(): boolean;
  occupancy(): { readonly total: number; readonly used: number; readonly waiting: number };
}

/**
 * A stage's limit for the whole node. Whoever waits for a place here may have one in an earlier stage, never in a
 * later one that those inside need to get on: so some job always gets on.
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

/** How many jobs of the node are in a stage at once. */
export interface StagePlaces {
  readonly downloads: Places;
  readonly encodes: Places;
  readonly uploads: Places;
}
