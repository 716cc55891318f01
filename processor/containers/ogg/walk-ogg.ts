import type { Followed } from "../container-kind.ts";
import { takePage } from "./ogg-page.ts";
import { walkThrough, type ByteWalk } from "../walk-bytes.ts";

/** What the first page of an ogg file of one sound says. */
export interface OggSound {
  readonly serial: number;
  /** In which its pages count how far they are. */
  readonly positionsPerSecond: number;
  /** Positions at the beginning that are not played. */
  readonly skipped: number;
}

/** Reads the first page. Null for sound that is neither opus nor vorbis. */
export function readOggSound(head: Buffer): OggSound | null {
  const led = walkThrough(takePage(), head);
  const page = "finding" in led ? led.finding : null;
  if (page === null || page === "end") return null;
  const { serial, content } = page;
  if (content.toString("latin1", 0, 8) === "OpusHead" && content.length >= 19) {
    return { serial, positionsPerSecond: 48_000, skipped: content.readUInt16LE(10) };
  }
  if (content.toString("latin1", 0, 7) === "\x01vorbis" && content.length >= 30) {
    return { serial, positionsPerSecond: content.readUInt32LE(12), skipped: 0 };
  }
  return null;
}

const unsure: Followed = { verdict: "unsure", seconds: null };
const damaged: Followed = { verdict: "damaged", seconds: null };

/**
 * Follows an ogg file from page to page: it is right where they are of one sound, numbered without a gap, each with
 * its sum, up to the last.
 */
export function* walkOgg({ serial, positionsPerSecond, skipped }: OggSound): ByteWalk<Followed> {
  let position = 0;
  for (let number = 0; ; number += 1) {
    const page = yield* takePage();
    if (page === "end") return unsure;
    // What is left behind something else tells a damaged stream from one that is cut.
    if (page === null) return (yield 1).length === 0 ? unsure : damaged;
    if (!page.isRight) return damaged;
    if (page.serial !== serial || page.isFirst !== (number === 0)) return unsure;
    if (page.number !== number) return number === 0 ? unsure : damaged;
    if (page.position !== null && page.position < position) return unsure;
    position = page.position ?? position;
    if (page.isLast) break;
  }
  if ((yield 1).length > 0) return unsure;
  return { verdict: "right", seconds: (position - skipped) / positionsPerSecond };
}
