import { mostDelaySeconds } from "../mux/input-delays.ts";
import type { SampleTables } from "./sample-tables.ts";

/**
 * When a track begins on the movie's clock, in seconds, and at which tick of its own clock, counted from its first
 * sample.
 */
export interface TrackStart {
  readonly delaySeconds: number;
  readonly startTick: number;
}

type Timed = Pick<SampleTables, "startTick" | "shownTick"> & {
  readonly track: Pick<SampleTables["track"], "ticksPerSecond" | "edit">;
};

/**
 * Where tracks begin if the earliest of them begins at 0. What a track's own edit list leaves out stays left out.
 * Clocks that are further apart than those of one film's streams are unrelated.
 */
export function startsOf(tracks: readonly Timed[]): TrackStart[] {
  const shown = tracks.map(({ shownTick, startTick, track: { ticksPerSecond, edit } }) => {
    const firstTick = Math.max(shownTick, edit.startTick);
    return {
      seconds: (firstTick - edit.startTick) / ticksPerSecond + edit.delaySeconds,
      startTick: firstTick - startTick,
    };
  });
  const earliest = Math.min(...shown.map(({ seconds }) => seconds));
  return shown.map(({ seconds, startTick }) => {
    const delay = seconds - earliest;
    return { delaySeconds: delay > mostDelaySeconds ? 0 : delay, startTick };
  });
}
