import { readHeader } from "../mux/mp4-boxes.ts";
import type { SampleChunk, SampleMap, SampleTrack } from "../mux/mp4-samples.ts";
import type { ByteWalk } from "./walk-bytes.ts";

/** Of the samples of a track, those that may look like none of it: some encoders end or fill frames their own way. */
const toleratedShare = 0.02;

const longHeaderBytes = 16;
const shortHeaderBytes = 8;

/**
 * Follows an mp4 from box to box, and in its media from sample to sample as the index says: true where the boxes tile
 * the stream, the samples lie within the media, one behind the other, and each looks like what its track holds.
 */
export function* walkMp4({ tracks, chunks }: SampleMap): ByteWalk<boolean> {
  const odd = new Map<SampleTrack, number>();
  const waiting = chunks.values();
  let next = waiting.next();
  let position = 0;
  for (;;) {
    const header = yield shortHeaderBytes;
    if (header.length === 0) break;
    const isLong = header.length === shortHeaderBytes && header.readUInt32BE(0) === 1;
    const all = isLong ? Buffer.concat([header, yield longHeaderBytes - shortHeaderBytes]) : header;
    const box = readHeader(all, Infinity);
    // A box of unknown length reaches to the end, which is no sign that the stream is whole.
    if (box === null || !Number.isFinite(box.bytes)) return false;
    const end = position + box.bytes;
    position += all.length;
    if (box.type === "mdat") {
      while (next.done !== true && next.value.offset < end) {
        if (next.value.offset < position) return false;
        yield position - next.value.offset;
        ({ offset: position } = next.value);
        const bytes = yield* walkChunk(next.value, odd);
        if (bytes === null || position + bytes > end) return false;
        position += bytes;
        next = waiting.next();
      }
    }
    if (end > position) {
      yield position + 1 - end;
      if ((yield 1).length === 0) return false;
    }
    position = end;
  }
  return (
    next.done === true &&
    tracks.every((track) => (odd.get(track) ?? 0) <= track.sizes.length * toleratedShare)
  );
}

/** The bytes of the chunk's samples; null where the stream ends within. */
function* walkChunk(
  { track, first, count }: SampleChunk,
  odd: Map<SampleTrack, number>,
): ByteWalk<number | null> {
  let bytes = 0;
  for (let sample = first; sample < first + count; sample += 1) {
    const size = track.sizes[sample] ?? 0;
    const looksRight =
      track.check.kind === "nal"
        ? yield* walkUnits(size, track.check.lengthBytes)
        : yield* walkAacFrame(size);
    if (looksRight === null) return null;
    if (!looksRight) odd.set(track, (odd.get(track) ?? 0) + 1);
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
