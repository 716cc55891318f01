import { open, type FileHandle } from "node:fs/promises";
import { JobFailure } from "../pipeline/job.ts";
import { boxContent } from "./box-content.ts";
import type { ProbedMedia } from "./media.ts";
import { readBeginning, walkBoxes } from "./mp4-boxes.ts";
import { readSampleMap, type SampleMap } from "./mp4-samples.ts";
import { readIndex } from "./read-index.ts";
import { createWalker } from "./walk-bytes.ts";
import { walkMp4 } from "./walk-mp4.ts";

/** The index of a film of some hours takes as much; a longer one is left to a decoder. */
const headMaxBytes = 8 * 1024 * 1024;
/** Read at a time. */
const pieceBytes = 1024 * 1024;

/**
 * What is in an mp4 with its index in front, by that and by a look at each of its samples: in this process, at the
 * speed of reading it. Null where only a decoder can tell whether the file is right. Rejects with JobFailure
 * `invalid_media` for a file that is damaged.
 */
export async function inspectMp4(path: string): Promise<ProbedMedia | null> {
  const file = await open(path);
  try {
    const beginning = await readBeginning((offset, bytes) => readAt(file, offset, bytes));
    if (beginning === null || beginning.indexEnd > headMaxBytes) return null;
    const index = await readIndex(await readAt(file, 0, beginning.indexEnd));
    return index !== null && (await areRight(file, index.samples)) ? index.probed : null;
  } finally {
    await file.close();
  }
}

/**
 * Holds an mp4 of one piece against its index, wherever that lies. Rejects with JobFailure `invalid_media` where
 * samples are missing or damaged; a file that it cannot judge is let pass.
 */
export async function verifySamples(path: string): Promise<void> {
  const { boxes } = await walkBoxes(path);
  const at = boxes.findIndex(({ type }) => type === "moov");
  const bytes = boxes[at]?.bytes ?? Infinity;
  if (bytes > headMaxBytes) return;
  const offset = boxes.slice(0, at).reduce((sum, box) => sum + box.bytes, 0);
  const file = await open(path);
  try {
    const moov = boxContent(await readAt(file, offset, bytes), "moov");
    const samples = moov && readSampleMap(moov);
    if (samples === null) return;
    const { size } = await file.stat();
    if (samples.isShort || samples.endOffset > size) {
      throw new JobFailure("invalid_media", "the media is truncated");
    }
    await areRight(file, samples);
  } finally {
    await file.close();
  }
}

async function areRight(file: FileHandle, samples: SampleMap): Promise<boolean> {
  const walker = createWalker(walkMp4(samples));
  const piece = Buffer.alloc(pieceBytes);
  for (let offset = 0; ;) {
    const { bytesRead } = await file.read(piece, 0, pieceBytes, offset);
    if (bytesRead === 0) break;
    walker.take(piece.subarray(0, bytesRead));
    offset += bytesRead;
  }
  const verdict = walker.end();
  if (verdict === "damaged") throw new JobFailure("invalid_media", "the media is damaged");
  return verdict === "right";
}

async function readAt(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
  return buffer.subarray(0, bytesRead);
}
