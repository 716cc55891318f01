import type { SampleChunk, SampleTrack } from "./mp4-samples.ts";
import type { ByteWalk } from "./walk-bytes.ts";

/** Of the samples of a track, those that may look like none of it: some encoders end or fill frames their own way. */
const toleratedShare = 0.02;

/** How many samples of each track were looked at, and how many of these look like none of it. */
export interface SampleTally {
  add(track: SampleTrack, looksRight: boolean): void;
  looksRight(): boolean;
}

export function createSampleTally(): SampleTally {
  const counts = new Map<SampleTrack, { all: number; odd: number }>();
  return {
    add(track, looksRight) {
      const count = counts.get(track) ?? { all: 0, odd: 0 };
      count.all += 1;
      if (!looksRight) count.odd += 1;
      counts.set(track, count);
    },
    looksRight: () => [...counts.values()].every(({ all, odd }) => odd <= all * toleratedShare),
  };
}

/** The bytes of the chunk's samples; null where the stream ends within. */
export function* walkChunk(
  { track, first, count }: SampleChunk,
  tally: SampleTally,
): ByteWalk<number | null> {
  let bytes = 0;
  for (let sample = first; sample < first + count; sample += 1) {
    const size = track.sizes[sample] ?? 0;
    const looksRight =
      track.check.kind === "nal"
        ? yield* walkUnits(size, track.check.lengthBytes)
        : yield* walkAacFrame(size);
    if (looksRight === null) return null;
    tally.add(track, looksRight);
    bytes += size;
  }
  return bytes;
}

/** A picture of h264 or h265: units, each behind its length, which fill the sample exactly. Null at the stream's end. */
function* walkUnits(size: number, lengthBytes: number): ByteWalk<boolean | null> {
  let left = size;
  while (left > lengthBytes) {
    const head = yield lengthBytes + 1;
    if (head.length <= lengthBytes) return null;
    const unitBytes = head.readUIntBE(0, lengthBytes);
    const isForbidden = ((head[lengthBytes] ?? 0) & 0x80) !== 0;
    left -= head.length;
    if (unitBytes === 0 || unitBytes - 1 > left || isForbidden) {
      yield -left;
      return false;
    }
    yield 1 - unitBytes;
    left -= unitBytes - 1;
  }
  yield -left;
  return left === 0;
}

/** A frame of aac ends with three ones, and as many zeros as fill the last byte. Null at the stream's end. */
function* walkAacFrame(size: number): ByteWalk<boolean | null> {
  if (size < frameEndBytes) {
    yield -size;
    return true;
  }
  yield frameEndBytes - size;
  const tail = yield frameEndBytes;
  if (tail.length < frameEndBytes) return null;
  const bits = tail.readUInt16BE(0);
  const zeros = 31 - Math.clz32(bits & -bits);
  return bits !== 0 && zeros < 8 && ((bits >> zeros) & 7) === 7;
}

const frameEndBytes = 2;
