/** A container of which nothing is heard for so long after its start is passed over for another. */
export const startMaxMs = 60_000;

/**
 * Which container to wake while jobs are due and no slot is free: the first that does not run, or null while one is
 * still on its way or as many run as may. One at a time: the slots of the first may be all that it takes.
 *
 * @param live names of the containers whose nodes send heartbeats
 * @param wokenAt when each was woken last, in ms
 */
export function containerToWake(
  containersMax: number,
  live: ReadonlySet<string>,
  wokenAt: ReadonlyMap<string, number>,
  now: number,
): string | null {
  const names = Array.from({ length: containersMax }, (_, index) => `node-${index + 1}`);
  const stopped = names.filter((name) => !live.has(name));
  const isTried = (name: string): boolean =>
    now - (wokenAt.get(name) ?? Number.NEGATIVE_INFINITY) < startMaxMs;
  if (stopped.some(isTried)) return null;
  // Whichever was not heard of after its last start comes after those that were never tried.
  const [first] = stopped.sort((a, b) => (wokenAt.get(a) ?? 0) - (wokenAt.get(b) ?? 0));
  return first ?? null;
}
