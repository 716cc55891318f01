import type { Followed } from "../container-kind.ts";
import { takePage, type OggPage } from "./ogg-page.ts";
import { walkThrough, type ByteWalk } from "../walk-bytes.ts";

/** What the first page of an audio stream in an Ogg file says. */
export interface OggAudio {
  readonly codec: "opus" | "vorbis";
  /** The unit in which its pages count their position. */
  readonly positionsPerSecond: number;
  /** Positions at the beginning that are not played. */
  readonly skipped: number;
}

/** Reads the first page. Null for audio other than Opus and Vorbis. */
export function readOggAudio(head: Buffer): OggAudio | null {
  const led = walkThrough(takePage(), head);
  const page = "finding" in led ? led.finding : null;
  return page === null || page === "end" ? null : audioOf(page);
}

function audioOf({ content }: OggPage): OggAudio | null {
  if (content.toString("latin1", 0, 8) === "OpusHead" && content.length >= 19) {
    return { codec: "opus", positionsPerSecond: 48_000, skipped: content.readUInt16LE(10) };
  }
  if (content.toString("latin1", 0, 7) === "\x01vorbis" && content.length >= 30) {
    return { codec: "vorbis", positionsPerSecond: content.readUInt32LE(12), skipped: 0 };
  }
  return null;
}

const unsure: Followed = { verdict: "unsure", seconds: null };
const damaged: Followed = { verdict: "damaged", seconds: null };

/**
 * Walks an Ogg file page by page. It is right if all pages up to the last belong to one stream, are numbered without
 * gaps and have the right checksum. More streams of the same codec may follow, as in a recording of a radio station.
 */
export function* walkOgg({ codec }: OggAudio): ByteWalk<Followed> {
  let seconds = 0;
  for (let streams = 0; ; streams += 1) {
    const first = yield* takePage();
    if (first === "end") return streams === 0 ? unsure : { verdict: "right", seconds };
    if (first === null) return unsure;
    const audio = audioOf(first);
    if (!first.isRight) return damaged;
    if (audio?.codec !== codec || !first.isFirst || first.number !== 0) return unsure;
    const end = yield* walkStream(first);
    if (typeof end !== "number") return end;
    seconds += (end - audio.skipped) / audio.positionsPerSecond;
  }
}

/** Walks the pages of a stream after its first one, and gives the position at which they end. */
function* walkStream({ serial, isLast, position: start }: OggPage): ByteWalk<number | Followed> {
  let position = start ?? 0;
  for (let number = 1, isOver = isLast; !isOver; number += 1) {
    const page = yield* takePage();
    if (page === "end") return unsure;
    // Whether anything follows distinguishes a damaged stream from a truncated one.
    if (page === null) return (yield 1).length === 0 ? unsure : damaged;
    if (!page.isRight) return damaged;
    if (page.serial !== serial || page.isFirst) return unsure;
    if (page.number !== number) return damaged;
    if (page.position !== null && page.position < position) return unsure;
    position = page.position ?? position;
    isOver = page.isLast;
  }
  return position;
}
