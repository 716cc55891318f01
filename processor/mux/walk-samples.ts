import { bytesOf, type SampleChunk, type SampleTrack } from "./mp4-samples.ts";
import type { ByteWalk } from "./walk-bytes.ts";

/**
 * What a look at samples tells: they are what their tracks hold, some of them are and others are noise, or only a
 * decoder can tell.
 */
export type Verdict = "right" | "damaged" | "unsure";

/** A sample that is no such thing is `broken`; one that some encoders write is `odd`. */
type Look = "right" | "odd" | "broken";

/** Of the samples of a track, those that may be odd: some encoders end or fill frames their own way. */
const toleratedShare = 0.02;

/** Counts how the samples of each track look. */
export interface SampleTally {
  add(track: SampleTrack, look: Look): void;
  /** Samples were left out that cannot be told from noise. */
  leaveOut(): void;
  verdict(): Verdict;
}

export function createSampleTally(): SampleTally {
  const counts = new Map<SampleTrack, Record<Look, number>>();
  let isUnsure = false;
  return {
    add(track, look) {
      const count = counts.get(track) ?? { right: 0, odd: 0, broken: 0 };
      count[look] += 1;
      counts.set(track, count);
    },
    leaveOut() {
      isUnsure = true;
    },
    verdict() {
      const verdicts = new Set([...counts.values()].map(verdictOf));
      if (verdicts.has("damaged")) return "damaged";
      return isUnsure || verdicts.has("unsure") ? "unsure" : "right";
    },
  };
}

/** A track without any sample that looks right is of another sort than its index says, rather than damaged. */
function verdictOf({ right, odd, broken }: Record<Look, number>): Verdict {
  if (broken > 0) return right > 0 ? "damaged" : "unsure";
  return odd <= (right + odd) * toleratedShare ? "right" : "unsure";
}

/** The bytes of the chunk's samples; null where the stream ends within. */
export function* walkChunk(chunk: SampleChunk, tally: SampleTally): ByteWalk<number | null> {
  const { track, first, count } = chunk;
  const { check } = track;
  if (check === null) {
    tally.leaveOut();
    yield -bytesOf(chunk);
    return bytesOf(chunk);
  }
  let bytes = 0;
  for (const size of track.sizes.subarray(first, first + count)) {
    const look = check.kind === "nal" ? yield* walkUnits(size, check.lengthBytes) : yield* walkAacFrame(size);
    if (look === null) return null;
    tally.add(track, look);
    bytes += size;
  }
  return bytes;
}

/** A picture of h264 or h265: units, each behind its length, which fill the sample. Null at the stream's end. */
function* walkUnits(size: number, lengthBytes: number): ByteWalk<Look | null> {
  let left = size;
  while (left > lengthBytes) {
    const head = yield lengthBytes + 1;
    if (head.length <= lengthBytes) return null;
    const unitBytes = head.readUIntBE(0, lengthBytes);
    const isForbidden = ((head[lengthBytes] ?? 0) & 0x80) !== 0;
    left -= head.length;
    if (unitBytes === 0 || unitBytes - 1 > left || isForbidden) {
      yield -left;
      return "broken";
    }
    yield 1 - unitBytes;
    left -= unitBytes - 1;
  }
  yield -left;
  return left === 0 ? "right" : "odd";
}

/** More than one of 48 channels has. */
const aacFrameMaxBytes = 48 * 1024;

/** A frame of aac ends with three ones, and as many zeros as fill the last byte. Null at the stream's end. */
function* walkAacFrame(size: number): ByteWalk<Look | null> {
  if (size < frameEndBytes || size > aacFrameMaxBytes) {
    yield -size;
    return size < frameEndBytes ? "right" : "odd";
  }
  const frame = yield size;
  if (frame.length < size) return null;
  const bits = frame.readUInt16BE(size - frameEndBytes);
  if (bits === 0) return frame.every((byte) => byte === 0) ? "broken" : "odd";
  const zeros = 31 - Math.clz32(bits & -bits);
  return zeros < 8 && ((bits >> zeros) & 7) === 7 ? "right" : "odd";
}

const frameEndBytes = 2;
