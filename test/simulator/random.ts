/** A deterministic generator: the same seed yields the same numbers. */
export interface Luck {
  /** An integer in [0, below). */
  whole(below: number): number;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
}

/** Mulberry32: 32 bits of state are enough for one schedule. */
export function luckOf(seed: number): Luck {
  let state = seed | 0;
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    whole: (below) => Math.floor(fraction() * below),
    between: (low, high) => low + fraction() * (high - low),
    chance: (probability) => fraction() < probability,
  };
}
