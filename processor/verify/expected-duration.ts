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
 * a duration; and no longer than any of the files it is made from, from where it starts. `statesEnds`: all inputs say
 * themselves where they end, so what the source says of them may be imprecise.
 */
export function expectedDuration(
  inputs: readonly ProbedMedia[],
  { video, audio }: OutputPlan,
  sourceSeconds: number | null,
  statesEnds = false,
): DurationRange {
  const imprecision = statesEnds ? saidImprecisely(sourceSeconds ?? 0) : 0;
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
    least: longest([...ofStreams, delayed(sourceSeconds, -imprecision)]),
    most: longest([...ofStreams, ...ofFiles, delayed(sourceSeconds, latest + imprecision)]),
  };
}

const imprecise = { seconds: 5, share: 0.05 } as const;
const roundedToMinutes = { seconds: 60, mostShare: 0.2 } as const;

/** By how many seconds a page may be wrong about its media: it counts what surrounds them, or rounds to minutes. */
function saidImprecisely(seconds: number): number {
  const usual = Math.max(imprecise.seconds, seconds * imprecise.share);
  if (seconds % roundedToMinutes.seconds !== 0) return usual;
  return Math.max(usual, Math.min(roundedToMinutes.seconds, seconds * roundedToMinutes.mostShare));
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
