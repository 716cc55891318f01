import type { Look } from "./walk-sample.ts";

/**
 * What a look at samples tells: they are what their tracks hold, some of them are and others are noise, or only a
 * decoder can tell.
 */
export type Verdict = "right" | "damaged" | "unsure";

/** Of the samples of a track, those that may be odd: some encoders end or fill frames their own way. */
const toleratedShare = 0.02;

/** Counts how the samples of each track look. */
export interface SampleTally<Track> {
  add(track: Track, look: Look): void;
  /** Samples were left out that cannot be told from noise. */
  leaveOut(): void;
  verdict(): Verdict;
}

export function createSampleTally<Track>(): SampleTally<Track> {
  const counts = new Map<Track, Record<Look, number>>();
  let isUnsure = false;
  return {
    add(track, look) {
      const count = counts.get(track) ?? { right: 0, odd: 0, broken: 0 };
      count[look] += 1;
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

/** A track without any sample that looks right is of another sort than its index says, rather than damaged. */
function verdictOf({ right, odd, broken }: Record<Look, number>): Verdict {
  if (broken > 0) return right > 0 ? "damaged" : "unsure";
  return odd <= (right + odd) * toleratedShare ? "right" : "unsure";
}
