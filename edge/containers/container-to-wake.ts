/** A container that sends no heartbeat for this long after its start is passed over for another. */
export const startMaxMs = 60_000;

/**
 * Which container to wake when jobs are due and no slot is free: the first that is not running, or null while one is
 * still starting or the limit is reached. One at a time, since the slots of the first may be all that is needed.
 *
 * @param live names of the containers whose nodes send heartbeats
 * @param wokenAt when each was last woken, in ms
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
  // Containers that were never tried come before those that were woken without result.
  const [first] = stopped.sort((a, b) => (wokenAt.get(a) ?? 0) - (wokenAt.get(b) ?? 0));
  return first ?? null;
}
