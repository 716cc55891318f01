import type { Places } from "../work/places.ts";

/** The same places; calls `onEntered` with how long each entrant waited. `now` is in milliseconds. */
export function timedPlaces(
  places: Places,
  now: () => number,
  onEntered: (waitedMs: number) => void,
): Places {
  return {
    ...places,
    within(signal, work) {
      const startedMs = now();
      return places.within(signal, () => {
        onEntered(now() - startedMs);
        return work();
      });
    },
    async enter(signal) {
      const startedMs = now();
      const leave = await places.enter(signal);
      onEntered(now() - startedMs);
      return leave;
    },
  };
}
