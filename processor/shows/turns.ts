/**
 * A semaphore with a limit per owner: so many may do something at a time, the others wait for their turn in order of
 * request.
 */
export interface Turns {
  /** True if a request by this owner would not have to wait now. */
  areFree(owner: string): boolean;
  /** Resolves when it is the caller's turn. Rejects with the signal's reason. */
  take(owner: string, signal: AbortSignal): Promise<Turn>;
}

export interface Turn {
  /** True while someone is waiting who could continue if this turn ended. */
  isWanted(): boolean;
  /** Further calls do nothing. */
  end(): void;
}

/** `perOwner`: how many turns the same owner can have, so that no owner blocks all others. */
export function createTurns({ atOnce, perOwner }: { atOnce: number; perOwner: number }): Turns {
  const waiting = new Set<{ owner: string; grant: () => void }>();
  const owners = new Map<string, number>();
  let taken = 0;
  const takenOf = (owner: string) => owners.get(owner) ?? 0;
  const areFree = (owner: string) => taken < atOnce && takenOf(owner) < perOwner;

  function change(owner: string, by: 1 | -1): void {
    taken += by;
    const left = takenOf(owner) + by;
    if (left === 0) owners.delete(owner);
    else owners.set(owner, left);
  }

  /** The first that its owner's limit does not hold back, counting one turn less for `left`. */
  function nextAfter(left: string) {
    return [...waiting].find(({ owner }) => takenOf(owner) - (owner === left ? 1 : 0) < perOwner);
  }

  function hold(owner: string): Turn {
    let isHeld = true;
    change(owner, 1);
    return {
      isWanted: () => nextAfter(owner) !== undefined,
      end: () => {
        if (!isHeld) return;
        isHeld = false;
        const next = nextAfter(owner);
        change(owner, -1);
        next?.grant();
      },
    };
  }

  return {
    areFree,
    async take(owner, signal) {
      signal.throwIfAborted();
      if (areFree(owner)) return hold(owner);
      const { promise, resolve, reject } = Promise.withResolvers<Turn>();
      const asked = {
        owner,
        grant: () => {
          waiting.delete(asked);
          resolve(hold(owner));
        },
      };
      const abandon = () => {
        if (waiting.delete(asked)) reject(signal.reason);
      };
      signal.addEventListener("abort", abandon, { once: true });
      waiting.add(asked);
      return promise.finally(() => signal.removeEventListener("abort", abandon));
    },
  };
}
