/** So many do something at a time, and fewer for any one owner; the others wait for their turn, in the order of asking. */
export interface Turns {
  /** True when one that asks for this owner now need not wait. */
  areFree(owner: string): boolean;
  /** Resolves when it is the asker's turn. Rejects with the signal's reason. */
  take(owner: string, signal: AbortSignal): Promise<Turn>;
}

export interface Turn {
  /** True while somebody waits who could go on if this turn ended. */
  isWanted(): boolean;
  /** Calling it again changes nothing. */
  end(): void;
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

  /** The first that its own owner's others do not hold back, of whom `left` has one less. */
  function nextAfter(left: string) {
    return [...waiting].find(({ owner }) => takenOf(owner) - (owner === left ? 1 : 0) < ofOne);
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
