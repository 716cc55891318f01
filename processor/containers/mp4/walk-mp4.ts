import { readHeader, startsBox, takeHeader } from "./mp4-boxes.ts";
import type { SampleMap, SampleTrack } from "./mp4-samples.ts";
import { createSampleTally, type Verdict } from "../sample-tally.ts";
import { leaveOut, type ByteWalk } from "../walk-bytes.ts";
import { walkChunk } from "./walk-chunk.ts";

/**
 * Walks an mp4 box by box, and its media sample by sample according to the index. It is right if the boxes tile the
 * stream, the samples are consecutive and inside the media, and each looks like what its track contains. After the last
 * sample, something that is no box may follow, such as a tag that was appended.
 */
export function* walkMp4({ chunks }: SampleMap): ByteWalk<Verdict> {
  const tally = createSampleTally<SampleTrack>();
  const waiting = chunks.values();
  let next = waiting.next();
  let position = 0;
  for (;;) {
    const header = yield* takeHeader();
    if (header.length === 0) break;
    const atEnd = () => (next.done === true && !startsBox(header) ? tally.verdict() : "unsure");
    const box = readHeader(header, Infinity);
    // A box of unknown length reaches to the end, which does not prove that the stream is complete.
    if (box === null || !Number.isFinite(box.bytes)) return atEnd();
    const end = position + box.bytes;
    position += header.length;
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
    if (!(yield* leaveOut(end - position))) return atEnd();
    position = end;
  }
  return next.done === true ? tally.verdict() : "unsure";
}
