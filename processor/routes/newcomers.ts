/** Requests whose sender is unknown until their body has arrived. */
export interface Newcomers {
  enter(request: { destroy(): void }): void;
  /** It is complete, or over; further calls do nothing. */
  leave(request: { destroy(): void }): void;
}

/**
 * Bounds how many there are: one more ends the oldest. The edge's own bodies arrive at once, so whoever sends slowly has
 * to go, and nobody can keep the edge out by holding on to all places.
 */
export function createNewcomers(most: number): Newcomers {
  const here = new Set<{ destroy(): void }>();
  return {
    enter(request) {
      here.add(request);
      const [oldest] = here;
      if (here.size <= most || oldest === undefined) return;
      here.delete(oldest);
      oldest.destroy();
    },
    leave: (request) => void here.delete(request),
  };
}
