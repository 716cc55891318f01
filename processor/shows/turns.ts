/** So many do something at a time; the others wait for their turn, in the order of asking. */
export interface Turns {
  /** True when one that asks now need not wait. */
  areFree(): boolean;
  /**
   * Resolves when it is the asker's turn, with what ends the turn; calling that again changes nothing. Rejects with the
   * signal's reason.
   */
  take(signal: AbortSignal): Promise<() => void>;
}

export function createTurns(atOnce: number): Turns {
  const waiting = new Set<() => void>();
  let taken = 0;
  const areFree = () => taken < atOnce;

  function hold(): () => void {
    let isHeld = true;
    taken += 1;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      taken -= 1;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    areFree,
    async take(signal) {
      signal.throwIfAborted();
      if (areFree()) return hold();
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const grant = () => {
        waiting.delete(grant);
        resolve(hold());
      };
      const abandon = () => {
        if (waiting.delete(grant)) reject(signal.reason);
      };
      signal.addEventListener("abort", abandon, { once: true });
      waiting.add(grant);
      return promise.finally(() => signal.removeEventListener("abort", abandon));
    },
  };
}
