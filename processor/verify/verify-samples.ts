import { open } from "node:fs/promises";
import { headMaxBytes, readFrom, walkWhole } from "../containers/follow-file.ts";
import { JobFailure } from "../pipeline/job.ts";
import { boxContent } from "../containers/mp4/box-content.ts";
import { walkBoxes, type Box } from "../containers/mp4/mp4-boxes.ts";
import { readSampleMap } from "../containers/mp4/mp4-samples.ts";
import { walkMp4 } from "../containers/mp4/walk-mp4.ts";

/**
 * Compares an unfragmented mp4 with its index, wherever that is. Rejects with JobFailure `invalid_media` if samples are
 * missing or damaged; a file that it cannot judge passes.
 */
export async function verifySamples(path: string): Promise<void> {
  const { boxes } = await walkBoxes(path);
  const at = boxes.findIndex(({ type }) => type === "moov");
  const bytes = boxes[at]?.bytes ?? Infinity;
  if (bytes > headMaxBytes) return;
  const offset = totalBytes(boxes.slice(0, at));
  const file = await open(path);
  try {
    const readAt = (from: number, length: number) => readFrom(file, from, length);
    const moov = boxContent(await readAt(offset, bytes), "moov");
    const samples = moov && readSampleMap(moov);
    if (samples === null) return;
    if (samples.isShort || samples.endOffset > totalBytes(boxes)) {
      throw new JobFailure("invalid_media", "the media is truncated");
    }
    const verdict = await walkWhole(walkMp4(samples), readAt);
    if (verdict === "damaged") throw new JobFailure("invalid_media", "the media is damaged");
  } finally {
    await file.close();
  }
}

function totalBytes(boxes: readonly Box[]): number {
  return boxes.reduce((sum, { bytes }) => sum + bytes, 0);
}
