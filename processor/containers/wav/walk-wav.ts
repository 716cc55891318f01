import type { Verdict } from "../sample-tally.ts";
import { leaveOut, takeExactly, walkThrough, type ByteWalk } from "../walk-bytes.ts";

const riffHeaderBytes = 12;
const chunkHeaderBytes = 8;
const formatBytes = 16;
const bytesPerSecondOffset = 8;
/** A writer that could not go back leaves one of these. */
const unknownSizes: ReadonlySet<number> = new Set([0, 0xffffffff]);

/** What a wav says of itself before its sound. */
interface WavPromise {
  readonly soundOffset: number;
  readonly soundBytes: number;
  /** Of the file. */
  readonly endOffset: number;
  readonly seconds: number;
}

export interface WavHead extends WavPromise {
  readonly bytes: Buffer;
}

/** Follows the chunks up to the sound; null where these are not a wav that says how long it is. */
export function* walkToSound(): ByteWalk<WavPromise | null> {
  const header = yield riffHeaderBytes;
  if (header.toString("latin1", 0, 4) !== "RIFF" || header.toString("latin1", 8) !== "WAVE") return null;
  const riffBytes = header.readUInt32LE(4);
  let bytesPerSecond = 0;
  for (let offset = riffHeaderBytes; ;) {
    const chunk = yield chunkHeaderBytes;
    if (chunk.length < chunkHeaderBytes) return null;
    const name = chunk.toString("latin1", 0, 4);
    const size = chunk.readUInt32LE(4);
    offset += chunkHeaderBytes;
    if (name === "data") {
      if (unknownSizes.has(size) || unknownSizes.has(riffBytes) || bytesPerSecond === 0) return null;
      const endOffset = chunkHeaderBytes + riffBytes;
      return { soundOffset: offset, soundBytes: size, endOffset, seconds: size / bytesPerSecond };
    }
    // Chunks are of even length.
    const bytes = size + (size % 2);
    if (name === "fmt ") {
      const format = yield bytes;
      if (format.length < Math.max(bytes, formatBytes)) return null;
      bytesPerSecond = format.readUInt32LE(bytesPerSecondOffset);
    } else yield -bytes;
    offset += bytes;
  }
}

/** Null where what comes before the sound is not all here, or does not say how long the file is. */
export function readWavHead(head: Buffer): WavHead | null {
  const led = walkThrough(walkToSound(), head);
  const promise = "finding" in led ? led.finding : null;
  return promise && { ...promise, bytes: Buffer.from(head.subarray(0, promise.soundOffset)) };
}

/** Follows a wav to its end: it is right where it is as long as it said. Nothing tells its sound from noise. */
export function* walkWav({ bytes, soundOffset, soundBytes, endOffset }: WavHead): ByteWalk<Verdict> {
  if (!(yield* takeExactly(bytes))) return "unsure";
  const left = endOffset - soundOffset;
  const isWhole = left >= soundBytes && (yield* leaveOut(left)) && (yield 1).length === 0;
  return isWhole ? "right" : "unsure";
}
