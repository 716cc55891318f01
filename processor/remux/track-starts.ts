import { inputDelays } from "../mux/input-delays.ts";
import type { SampleTables } from "./sample-tables.ts";

/**
 * When a track begins on the movie's clock, in seconds, and at which tick of its own clock, counted from its first
 * sample.
 */
export interface TrackStart {
  readonly delaySeconds: number;
  readonly startTick: number;
}

type Timed = Pick<SampleTables, "startTick" | "shownTick" | "shownEndTick"> & {
  readonly track: Pick<SampleTables["track"], "ticksPerSecond" | "edit">;
};

/**
 * Where the tracks of each file begin if the earliest of all begins at 0. What a track's own edit list leaves out stays
 * left out. The tracks of one file keep their distance, however long it is; the clocks of separate files may be
 * unrelated.
 */
export function startsOf(files: readonly (readonly Timed[])[]): TrackStart[][] {
  const shown = files.map((tracks) => tracks.map(shownOf));
  const clocks = files.map(clockOf);
  const delays = inputDelays(clocks);
  return shown.map((tracks, file) => {
    const shift = (delays[file] ?? 0) - (clocks[file]?.startSeconds ?? 0);
    return tracks.map(({ seconds, startTick }) => ({ delaySeconds: seconds + shift, startTick }));
  });
}

/** When the tracks of a file start on its clock, and how long they play together, in seconds. */
export function clockOf(tracks: readonly Timed[]): { startSeconds: number; durationSeconds: number } {
  const shown = tracks.map(shownOf);
  const startSeconds = Math.min(...shown.map(({ seconds }) => seconds));
  return { startSeconds, durationSeconds: Math.max(...shown.map((one) => one.endSeconds)) - startSeconds };
}

/** When a track is shown on its file's clock, and the tick after its first one at which that begins. */
function shownOf({ shownTick, shownEndTick, startTick, track: { ticksPerSecond, edit } }: Timed) {
  const firstTick = Math.max(shownTick, edit.startTick);
  const secondsAt = (tick: number) => (tick - edit.startTick) / ticksPerSecond + edit.delaySeconds;
  return {
    seconds: secondsAt(firstTick),
    endSeconds: secondsAt(shownEndTick),
    startTick: firstTick - startTick,
  };
}
