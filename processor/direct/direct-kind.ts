import { durationProblem } from "../mux/expected-duration.ts";
import type { ProbedMedia } from "../mux/media.ts";
import type { Verdict } from "../mux/sample-tally.ts";
import type { ByteWalk } from "../mux/walk-bytes.ts";

/** A kind of file that can be checked while it passes. */
export interface DirectKind {
  /** Follows a file to where it tells what it is: how many bytes that takes, null where none do. */
  readonly headEnd: () => ByteWalk<number | null>;
  /** Reads the beginning; null where it needs a decoder to tell what the file is, or whether it is right. */
  readonly begin: (head: Buffer) => Promise<Begun | null>;
}

/** What the beginning of a stream tells, and how the stream is followed, from its first byte. */
export interface Begun {
  readonly probed: ProbedMedia;
  readonly walk: () => ByteWalk<Finding>;
}

/** How long the stream plays, null where only its beginning says so. Null without more where it is not surely right. */
export type Finding = { readonly seconds: number | null } | null;

/** What a verdict on a stream says that itself says how long it plays. */
export function* findingOf(walk: ByteWalk<Verdict>): ByteWalk<Finding> {
  return (yield* walk) === "right" ? { seconds: null } : null;
}

/** What a stream is, followed to its end, that plays so long and should have played at least so long. */
export function playing(seconds: number | null, least: number | null): Finding {
  return seconds === null || durationProblem(seconds, { least, most: null }) !== null ? null : { seconds };
}
