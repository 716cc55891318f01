import { open, type FileHandle } from "node:fs/promises";
import type { ProbedMedia } from "./media.ts";
import { readBeginning } from "./mp4-boxes.ts";
import type { SampleChunk, SampleMap } from "./mp4-samples.ts";
import { readIndex } from "./read-index.ts";
import { createWalker } from "./walk-bytes.ts";
import { createSampleTally, walkChunk } from "./walk-samples.ts";

/** The index of a film of some hours takes as much; a longer one is read by a program. */
const headMaxBytes = 8 * 1024 * 1024;
/** Of a stretch of samples at each moment: some seconds of a film, most often. */
const momentBytes = 4 * 1024 * 1024;
const momentChunks = 200;

/**
 * What is in an mp4 with its index in front, by that and by looks at its samples at the beginning, in the middle and at
 * the end: in this process, in some milliseconds. Null where only a decoder can tell whether the file is right.
 */
export async function inspectMp4(path: string): Promise<ProbedMedia | null> {
  const file = await open(path);
  try {
    const beginning = await readBeginning((offset, bytes) => readAt(file, offset, bytes));
    if (beginning === null || beginning.indexEnd > headMaxBytes) return null;
    const index = await readIndex(await readAt(file, 0, beginning.indexEnd));
    return index !== null && (await looksRight(file, index.samples)) ? index.probed : null;
  } finally {
    await file.close();
  }
}

async function looksRight(file: FileHandle, { chunks }: SampleMap): Promise<boolean> {
  const tally = createSampleTally();
  for (const chunk of chunksAtMoments(chunks)) {
    const walker = createWalker(walkChunk(chunk, tally));
    walker.take(await readAt(file, chunk.offset, bytesOf(chunk)));
    if (walker.end() === null) return false;
  }
  return chunks.length > 0 && tally.looksRight();
}

/** Some at the beginning, in the middle and at the end. */
function chunksAtMoments(chunks: readonly SampleChunk[]): SampleChunk[] {
  const middle = Math.floor(chunks.length / 2);
  const moments = [chunks, chunks.slice(middle), chunks.slice(-momentChunks).toReversed()];
  const chosen = moments.flatMap((moment) => {
    let bytes = 0;
    return moment.slice(0, momentChunks).filter((chunk) => {
      const isNear = bytes < momentBytes;
      bytes += bytesOf(chunk);
      return isNear;
    });
  });
  return [...new Set(chosen)];
}

function bytesOf({ track, first, count }: SampleChunk): number {
  return track.sizes.subarray(first, first + count).reduce((sum, size) => sum + size, 0);
}

async function readAt(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
  return buffer.subarray(0, bytesRead);
}
