/** So many do something at a time, and fewer for any one owner; the others wait for their turn, in the order of asking. */
export interface Turns {
  /** True when one that asks for this owner now need not wait. */
  areFree(owner: string): boolean;
  /**
   * Resolves when it is the asker's turn, with what ends the turn; calling that again changes nothing. Rejects with the
   * signal's reason.
   */
  take(owner: string, signal: AbortSignal): Promise<() => void>;
}

/** `ofOne`: so many of them at most have the same owner, who so cannot keep all others waiting. */
export function createTurns({ atOnce, ofOne }: { atOnce: number; ofOne: number }): Turns {
  const waiting = new Set<{ owner: string; grant: () => void }>();
  const owners = new Map<string, number>();
  let taken = 0;
  const takenOf = (owner: string) => owners.get(owner) ?? 0;
  const areFree = (owner: string) => taken < atOnce && takenOf(owner) < ofOne;

  function change(owner: string, by: 1 | -1): void {
    taken += by;
    const left = takenOf(owner) + by;
    if (left === 0) owners.delete(owner);
    else owners.set(owner, left);
  }

  function hold(owner: string): () => void {
    let isHeld = true;
    change(owner, 1);
    return () => {
      if (!isHeld) return;
      isHeld = false;
      change(owner, -1);
      // One has become free, so one may go on: the first that its own owner's others do not hold back.
      for (const next of waiting) if (areFree(next.owner)) return next.grant();
    };
  }

  return {
    areFree,
    async take(owner, signal) {
      signal.throwIfAborted();
      if (areFree(owner)) return hold(owner);
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
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
