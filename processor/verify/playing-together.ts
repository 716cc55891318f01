import { durationProblem } from "./expected-duration.ts";

/** How long one of the files plays whose streams make up a film, in seconds. */
export interface Playing {
  /** As downloaded. */
  readonly seconds: number;
  /** The minimum according to the list of its segments; null without such a list. */
  readonly listedSeconds: number | null;
  /** The file itself states where it ends, and ends there. */
  readonly isSure: boolean;
}

/** Audio may start late and end early, but not by more than this: then part of it is missing. */
const plausibleSeconds = 5;
const plausibleShare = 0.05;

/**
 * What is wrong with the durations of the files of one film, or null: a file that was truncated between two fragments
 * looks complete. `filmSeconds` is the duration that the film as a whole should have, null if unknown.
 */
export function togetherProblem(files: readonly Playing[], filmSeconds: number | null): string | null {
  const longest = Math.max(...files.map(({ seconds }) => seconds), filmSeconds ?? 0);
  const plausible = longest - Math.max(plausibleSeconds, longest * plausibleShare);
  for (const { seconds, listedSeconds, isSure } of files) {
    const problem = durationProblem(seconds, { least: listedSeconds, most: null });
    if (problem !== null) return problem;
    if (listedSeconds === null && !isSure && seconds < plausible)
      return "part of the video or audio is missing";
  }
  return null;
}
