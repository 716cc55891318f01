import type { Followed } from "../container-kind.ts";
import { takePage } from "./ogg-page.ts";
import { walkThrough, type ByteWalk } from "../walk-bytes.ts";

/** What the first page of an Ogg file with one audio stream says. */
export interface OggSound {
  readonly serial: number;
  /** The unit in which its pages count their position. */
  readonly positionsPerSecond: number;
  /** Positions at the beginning that are not played. */
  readonly skipped: number;
}

/** Reads the first page. Null for audio other than Opus and Vorbis. */
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
 * Walks an Ogg file page by page. It is right if all pages up to the last belong to one stream, are numbered without
 * gaps and have the right checksum.
 */
export function* walkOgg({ serial, positionsPerSecond, skipped }: OggSound): ByteWalk<Followed> {
  let position = 0;
  for (let number = 0; ; number += 1) {
    const page = yield* takePage();
    if (page === "end") return unsure;
    // Whether anything follows distinguishes a damaged stream from a truncated one.
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
