import { open, type FileHandle } from "node:fs/promises";
import type { ProbedMedia } from "../mux/media.ts";
import { createWalker, walkAlong, type ByteWalk } from "./walk-bytes.ts";
import { JobFailure } from "../pipeline/job.ts";
import { sniffContainer, sniffedBytes } from "../source/sniff-container.ts";
import { containerKinds } from "./container-kinds.ts";

/** Not more than this is kept in memory for inspection: enough for the index of a film of several hours. */
export const headMaxBytes = 8 * 1024 * 1024;

/**
 * Checks all bytes of a file, in this process and at the speed of reading it, and returns what the file contains. Null
 * if only a decoder can tell whether it is right. Rejects with JobFailure `invalid_media` if it is damaged.
 */
export async function followFile(path: string): Promise<ProbedMedia | null> {
  const file = await open(path);
  const readAt = (offset: number, bytes: number) => readFrom(file, offset, bytes);
  try {
    const sniffed = sniffContainer(await readAt(0, sniffedBytes));
    const kind = sniffed && containerKinds[sniffed];
    const headBytes = kind ? await walkAlong(kind.headEnd(), readAt) : null;
    if (!kind || headBytes === null || headBytes > headMaxBytes) return null;
    const begun = await kind.begin(await readAt(0, headBytes));
    if (begun === null) return null;
    const { probed, walk } = begun;
    const { verdict, seconds } = await walkWhole(walk(), readAt);
    if (verdict === "damaged") throw new JobFailure("invalid_media", "the media is damaged");
    return verdict === "right" ? { ...probed, durationSeconds: seconds ?? probed.durationSeconds } : null;
  } finally {
    await file.close();
  }
}

/** Bytes read at a time. */
const pieceBytes = 1024 * 1024;

/** Feeds a walk with everything that can be read, from the first byte on. */
export async function walkWhole<Finding>(
  walk: ByteWalk<Finding>,
  readAt: (offset: number, bytes: number) => Promise<Buffer>,
): Promise<Finding> {
  const walker = createWalker(walk);
  for (let offset = 0; ;) {
    const piece = await readAt(offset, pieceBytes);
    if (piece.length === 0) return walker.end();
    walker.take(piece);
    offset += piece.length;
  }
}

/** Reads this many bytes, or as many as there are. */
export async function readFrom(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
  return buffer.subarray(0, bytesRead);
}
