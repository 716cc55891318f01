import { readHeader } from "./mp4-boxes.ts";
import type { SampleMap } from "./mp4-samples.ts";
import type { ByteWalk } from "./walk-bytes.ts";
import { createSampleTally, walkChunk, type Verdict } from "./walk-samples.ts";

const longHeaderBytes = 16;
const shortHeaderBytes = 8;

/**
 * Follows an mp4 from box to box, and in its media from sample to sample as the index says: it is right where the
 * boxes tile the stream, the samples lie within the media, one behind the other, and each looks like what its track
 * holds.
 */
export function* walkMp4({ chunks }: SampleMap): ByteWalk<Verdict> {
  const tally = createSampleTally();
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
    if (box === null || !Number.isFinite(box.bytes)) return "unsure";
    const end = position + box.bytes;
    position += all.length;
    if (box.type === "mdat") {
      while (next.done !== true && next.value.offset < end) {
        if (next.value.offset < position) return "unsure";
        yield position - next.value.offset;
        ({ offset: position } = next.value);
        const bytes = yield* walkChunk(next.value, tally);
        if (bytes === null || position + bytes > end) return "unsure";
        position += bytes;
        next = waiting.next();
      }
    }
    if (end > position) {
      yield position + 1 - end;
      if ((yield 1).length === 0) return "unsure";
    }
    position = end;
  }
  return next.done === true ? tally.verdict() : "unsure";
}
