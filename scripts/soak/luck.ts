/** Random decisions. */
export interface Luck {
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  oneOf<Item>(items: readonly Item[]): Item;
}

/** `random`: in [0, 1). */
export function luckOf(random: () => number): Luck {
  return {
    between: (low, high) => low + random() * (high - low),
    chance: (probability) => random() < probability,
    oneOf(items) {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new RangeError("There is nothing to choose from");
      return item;
    },
  };
}
