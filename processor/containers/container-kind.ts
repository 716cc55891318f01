import type { ProbedMedia } from "../mux/media.ts";
import type { Verdict } from "./sample-tally.ts";
import type { ByteWalk } from "./walk-bytes.ts";

/** A kind of file that can be recognized and checked by its bytes alone, while they arrive. */
export interface ContainerKind {
  /**
   * Walks to the point where it is clear what the file is: how many bytes that takes, or null if no number of bytes can
   * tell.
   */
  readonly headEnd: () => ByteWalk<number | null>;
  /** Reads the beginning; null if it takes a decoder to tell what the file is, or whether it is right. */
  readonly begin: (head: Buffer) => Promise<Begun | null>;
}

/** What the beginning of a stream tells, and a walk that checks the stream from its first byte. */
export interface Begun {
  readonly probed: ProbedMedia;
  readonly walk: () => ByteWalk<Followed>;
}

/** What a stream turned out to be. */
export interface Followed {
  readonly verdict: Verdict;
  /** How long it plays; null if only its beginning says so. */
  readonly seconds: number | null;
}

/** The result for a stream whose beginning says how long it plays. */
export function* walkOfKnownLength(walk: ByteWalk<Verdict>): ByteWalk<Followed> {
  return { verdict: yield* walk, seconds: null };
}
