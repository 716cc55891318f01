import type { Look } from "./walk-sample.ts";

/**
 * What a look at samples tells: they are what their tracks contain (`right`), some are and others are noise
 * (`damaged`), or only a decoder can tell (`unsure`), as with a few faults in many samples.
 */
export type Verdict = "right" | "damaged" | "unsure";

/** The share of a track's samples that may be odd: some encoders end or pad frames in their own way. */
const toleratedShare = 0.02;
/** The share that may be broken, each alone: recordings have a faulty picture here and there, and play on. */
const faultyShare = 0.002;

interface Counts extends Record<Look, number> {
  /** Broken ones in a row: those just added, and the most there were. */
  row: number;
  longestRow: number;
}

/** Counts how the samples of each track look. */
export interface SampleTally<Track> {
  add(track: Track, look: Look): void;
  /** Samples were skipped that cannot be told from noise. */
  leaveOut(): void;
  verdict(): Verdict;
}

export function createSampleTally<Track>(): SampleTally<Track> {
  const counts = new Map<Track, Counts>();
  let isUnsure = false;
  return {
    add(track, look) {
      const count = counts.get(track) ?? { right: 0, odd: 0, broken: 0, row: 0, longestRow: 0 };
      count[look] += 1;
      count.row = look === "broken" ? count.row + 1 : 0;
      count.longestRow = Math.max(count.longestRow, count.row);
      counts.set(track, count);
    },
    leaveOut() {
      isUnsure = true;
    },
    verdict() {
      const verdicts = new Set([...counts.values()].map(verdictOf));
      if (verdicts.has("damaged")) return "damaged";
      return isUnsure || verdicts.has("unsure") ? "unsure" : "right";
    },
  };
}

/** A track without a single right sample is probably of another kind than its index says, rather than damaged. */
function verdictOf({ right, odd, broken, longestRow }: Counts): Verdict {
  const areFaults = longestRow === 1 && broken <= right * faultyShare;
  if (broken > 0) return right > 0 && !areFaults ? "damaged" : "unsure";
  return odd <= (right + odd) * toleratedShare ? "right" : "unsure";
}
