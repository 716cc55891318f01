import { boxContent } from "./box-content.ts";
import type { AudioStream, FileKind, ProbedMedia } from "../../mux/media.ts";
import { readSampleMap, type SampleMap } from "./mp4-samples.ts";
import { readHead } from "../read-head.ts";

/** The index of an mp4 whose samples can be told from noise without decoding. */
export interface Mp4Index {
  readonly probed: ProbedMedia;
  readonly samples: SampleMap;
}

const majorBrandOffset = 8;

/**
 * Reads the index of an mp4 from the bytes before its media. Null if they are incomplete, or contain what only a
 * decoder can judge.
 */
export async function readIndex(head: Buffer): Promise<Mp4Index | null> {
  const brand = head.toString("latin1", majorBrandOffset, majorBrandOffset + 4);
  const kind: FileKind = brand === "qt  " ? "mov" : "mp4";
  const moov = boxContent(head, "moov");
  const samples = moov && readSampleMap(moov);
  if (!samples?.isFollowed || samples.isShort) return null;
  const probed = await readHead(head, kind);
  if (!probed?.audio.every(isFollowed)) return null;
  return { probed, samples };
}

/** Whether an audio track's samples are checked as what they are: an entry for AAC may contain another codec. */
export function isFollowed({ codec }: AudioStream): boolean {
  return codec === "aac" || codec === "opus";
}
