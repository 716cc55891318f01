import { Doubtful } from "../direct/doubtful.ts";
import type { FragmentedTrack } from "./fragmented-tracks.ts";
import type { Sample } from "./read-fragment.ts";

/** Consecutive entries with the same value. */
interface Stretch {
  count: number;
  readonly value: number;
}

/** Consecutive samples of a track in the new file. */
interface Chunk {
  readonly offset: number;
  endOffset: number;
  samples: number;
}

/** What the index of a new mp4 says about one track's samples, in order. Times are the track's ticks. */
export interface SampleTables {
  readonly track: FragmentedTrack;
  readonly bytes: readonly number[];
  /** How long the samples play. */
  readonly ticks: readonly Readonly<Stretch>[];
  readonly shifts: readonly Readonly<Stretch>[];
  /** Numbers, from 1, of the samples that can be decoded alone. */
  readonly syncs: readonly number[];
  readonly chunks: readonly Readonly<Chunk>[];
  /** Total of all samples. */
  readonly allTicks: number;
  /** When the first one is decoded, on the track's own clock. */
  readonly startTick: number;
  /** When the earliest one is shown, on that clock, and when the last one ends. */
  readonly shownTick: number;
  readonly shownEndTick: number;
}

export interface SampleCollector {
  /**
   * Adds a sample that is decoded at this tick and stored at this offset of the new file. Throws Doubtful if time goes
   * backwards.
   */
  add(sample: Sample, tick: number, offset: number): void;
  tables(): SampleTables;
}

export function collectSamples(track: FragmentedTrack): SampleCollector {
  const bytes: number[] = [];
  const ticks: Stretch[] = [];
  const shifts: Stretch[] = [];
  const syncs: number[] = [];
  const chunks: Chunk[] = [];
  let startTick: number | null = null;
  let endTick = 0;
  let shownTick = Infinity;
  let shownEndTick = -Infinity;

  /** Fragments state when they begin, which may be later than the previous one ends, or slightly earlier. */
  function moveEnd(by: number): void {
    const last = ticks.at(-1);
    if (last === undefined || last.value + by < 0) throw new Doubtful("samples go back in time");
    last.count -= 1;
    if (last.count === 0) ticks.pop();
    append(ticks, last.value + by);
  }

  return {
    add(sample, tick, offset) {
      startTick ??= endTick = tick;
      if (tick !== endTick) moveEnd(tick - endTick);
      endTick = tick + sample.ticks;
      shownTick = Math.min(shownTick, tick + sample.shift);
      shownEndTick = Math.max(shownEndTick, endTick + sample.shift);
      bytes.push(sample.bytes);
      append(ticks, sample.ticks);
      append(shifts, sample.shift);
      if (sample.isSync) syncs.push(bytes.length);
      const chunk = chunks.at(-1);
      if (chunk?.endOffset === offset) {
        chunk.endOffset += sample.bytes;
        chunk.samples += 1;
      } else {
        chunks.push({ offset, endOffset: offset + sample.bytes, samples: 1 });
      }
    },
    tables() {
      const start = startTick ?? 0;
      return {
        track,
        bytes,
        ticks,
        shifts,
        syncs,
        chunks,
        allTicks: endTick - start,
        startTick: start,
        shownTick,
        shownEndTick,
      };
    },
  };
}

function append(stretches: Stretch[], value: number): void {
  const last = stretches.at(-1);
  if (last?.value === value) last.count += 1;
  else stretches.push({ count: 1, value });
}
