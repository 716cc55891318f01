const firstMs = 100;
const longestMs = 2000;

/**
 * Milliseconds to wait after the n-th failure in a row (from 1): doubles up to two seconds, with the second half of it
 * random, so that many nodes do not return at the same moment. `random` is in [0, 1).
 */
export function retryDelayMs(failures: number, random: number): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  return (ceiling * (1 + random)) / 2;
}
