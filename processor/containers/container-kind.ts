import type { ProbedMedia } from "../mux/media.ts";
import type { Verdict } from "./sample-tally.ts";
import type { ByteWalk } from "./walk-bytes.ts";

/** A kind of file that can be told and followed by its bytes alone, as they come. */
export interface ContainerKind {
  /** Follows a file to where it tells what it is: how many bytes that takes, null where none do. */
  readonly headEnd: () => ByteWalk<number | null>;
  /** Reads the beginning; null where it needs a decoder to tell what the file is, or whether it is right. */
  readonly begin: (head: Buffer) => Promise<Begun | null>;
}

/** What the beginning of a stream tells, and how the stream is followed, from its first byte. */
export interface Begun {
  readonly probed: ProbedMedia;
  readonly walk: () => ByteWalk<Followed>;
}

/** What a stream turned out to be. */
export interface Followed {
  readonly verdict: Verdict;
  /** How long it plays, null where only its beginning says so. */
  readonly seconds: number | null;
}

/** What is found of a stream whose beginning says how long it plays. */
export function* walkOfKnownLength(walk: ByteWalk<Verdict>): ByteWalk<Followed> {
  return { verdict: yield* walk, seconds: null };
}
