import { inputDelays } from "../mux/input-delays.ts";
import type { FileKind, ProbedMedia } from "../mux/media.ts";
import type { OutputPlan } from "../mux/plan-output.ts";

/**
 * Kinds that do not state their duration: what a probe gives for them is a guess from the bitrate, or from the clock's
 * first and last time, although it may have been reset in between.
 */
const silentKinds: ReadonlySet<FileKind> = new Set(["mp3", "aac", "ac3", "eac3", "mpegts", "mpeg"]);

/** True if the file itself states its duration. */
export function saysDuration({ kind, durationSeconds }: ProbedMedia): boolean {
  return durationSeconds !== null && !silentKinds.has(kind);
}

/** The range in which a file's duration has to be, in seconds; null if unknown. */
export interface DurationRange {
  readonly least: number | null;
  readonly most: number | null;
}

/**
 * How long the planned file has to play: as long as the longest of its streams, and as the whole source if that stated
 * a duration; and no longer than any of the files it is made from, from where it starts.
 */
export function expectedDuration(
  inputs: readonly ProbedMedia[],
  { video, audio }: OutputPlan,
  sourceSeconds: number | null,
): DurationRange {
  const delays = inputDelays(inputs);
  const latest = Math.max(...delays);
  const saying = [video, audio].flatMap((chosen) => {
    const media = chosen === null ? undefined : inputs[chosen.input];
    return chosen !== null && media !== undefined && saysDuration(media) ? [{ chosen, media }] : [];
  });
  const ofStreams = saying.map(({ chosen }) => chosen.stream.durationSeconds);
  const ofFiles = saying.map(({ chosen, media }) =>
    delayed(media.durationSeconds, delays[chosen.input] ?? 0),
  );
  return {
    least: longest([...ofStreams, sourceSeconds]),
    most: longest([...ofStreams, ...ofFiles, delayed(sourceSeconds, latest)]),
  };
}

function delayed(seconds: number | null, delaySeconds: number): number | null {
  return seconds === null ? null : seconds + delaySeconds;
}

function longest(durations: readonly (number | null)[]): number | null {
  const known = durations.filter((seconds) => seconds !== null);
  return known.length === 0 ? null : Math.max(...known);
}

const toleratedSeconds = 1;
const toleratedShare = 0.01;

/** What is wrong with a duration, or null: it may be off by 1 % or 1 s, whichever is more. */
export function durationProblem(seconds: number | null, { least, most }: DurationRange): string | null {
  if (seconds === null) return null;
  if (least !== null && seconds < least - tolerance(least)) return "the media is truncated";
  if (most !== null && seconds > most + tolerance(most)) return "the media is longer than its source";
  return null;
}

function tolerance(seconds: number): number {
  return Math.max(toleratedSeconds, seconds * toleratedShare);
}
