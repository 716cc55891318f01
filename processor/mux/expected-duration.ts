import type { FileKind, ProbedMedia } from "./media.ts";
import type { OutputPlan } from "./plan-output.ts";

/** Kinds that do not say how long they play: what a probe gives for them is a guess from the bitrate. */
const silentKinds: ReadonlySet<FileKind> = new Set(["mp3", "aac"]);

/** True where the file itself says how long it plays. */
export function saysDuration({ kind, durationSeconds }: ProbedMedia): boolean {
  return durationSeconds !== null && !silentKinds.has(kind);
}

/**
 * How long the planned file has to play: as long as the longest of its streams, and as the source as a whole where
 * that said so. Null where nothing says.
 */
export function expectedSeconds(
  inputs: readonly ProbedMedia[],
  { video, audio }: OutputPlan,
  sourceSeconds: number | null,
): number | null {
  const streams = [video, audio].filter((chosen) => chosen !== null);
  const said = streams.flatMap(({ input, stream }) => {
    const media = inputs[input];
    return media !== undefined && saysDuration(media) ? [stream.durationSeconds] : [];
  });
  const known = [...said, sourceSeconds].filter((seconds) => seconds !== null);
  return known.length === 0 ? null : Math.max(...known);
}
