import { bytesOf, type SampleChunk, type SampleTrack } from "./mp4-samples.ts";
import type { SampleTally } from "../sample-tally.ts";
import type { ByteWalk } from "../walk-bytes.ts";
import { walkSample } from "../walk-sample.ts";

/** The total size of the chunk's samples; null if the stream ends inside. */
export function* walkChunk(chunk: SampleChunk, tally: SampleTally<SampleTrack>): ByteWalk<number | null> {
  const { track, first, count } = chunk;
  const { check } = track;
  if (check === null) {
    tally.leaveOut();
    yield -bytesOf(chunk);
    return bytesOf(chunk);
  }
  let bytes = 0;
  for (const size of track.sizes.subarray(first, first + count)) {
    const look = yield* walkSample(size, check);
    if (look === null) return null;
    tally.add(track, look);
    bytes += size;
  }
  return bytes;
}
