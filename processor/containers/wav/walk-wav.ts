import { isAppendedTag, tagMarkBytes } from "../appended-tag.ts";
import type { Verdict } from "../sample-tally.ts";
import { leaveOut, takeExactly, walkThrough, type ByteWalk } from "../walk-bytes.ts";

const riffHeaderBytes = 12;
const chunkHeaderBytes = 8;
const formatBytes = 16;
const bytesPerSecondOffset = 8;
/** Left behind by a writer that cannot seek back. */
const unknownSizes: ReadonlySet<number> = new Set([0, 0xffffffff]);

/** What a WAV file says about itself before its audio. */
interface WavPromise {
  readonly audioOffset: number;
  readonly audioBytes: number;
  /** End of the file. */
  readonly endOffset: number;
  readonly seconds: number;
}

export interface WavHead extends WavPromise {
  readonly bytes: Buffer;
}

/** Walks the chunks up to the audio; null if this is not a WAV file that states its length. */
export function* walkToAudio(): ByteWalk<WavPromise | null> {
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
      return { audioOffset: offset, audioBytes: size, endOffset, seconds: size / bytesPerSecond };
    }
    // Chunks are padded to an even length.
    const bytes = size + (size % 2);
    if (name === "fmt ") {
      const format = yield bytes;
      if (format.length < Math.max(bytes, formatBytes)) return null;
      bytesPerSecond = format.readUInt32LE(bytesPerSecondOffset);
    } else yield -bytes;
    offset += bytes;
  }
}

/** Null if what comes before the audio is incomplete, or does not state how long the file is. */
export function readWavHead(head: Buffer): WavHead | null {
  const led = walkThrough(walkToAudio(), head);
  const promise = "finding" in led ? led.finding : null;
  return promise && { ...promise, bytes: Buffer.from(head.subarray(0, promise.audioOffset)) };
}

/**
 * Walks a WAV file to its end. It is right if it is as long as it states, apart from a tag; its audio cannot be told from
 * noise.
 */
export function* walkWav({ bytes, audioOffset, audioBytes, endOffset }: WavHead): ByteWalk<Verdict> {
  if (!(yield* takeExactly(bytes))) return "unsure";
  const left = endOffset - audioOffset;
  if (left < audioBytes || !(yield* leaveOut(left))) return "unsure";
  const rest = yield tagMarkBytes;
  return rest.length === 0 || isAppendedTag(rest) ? "right" : "unsure";
}
