import type { Container } from "./container-codecs.ts";
import type { FileKind, ProbedMedia } from "./media.ts";
import { playsFromStart, type BoxWalk } from "../containers/mp4/mp4-boxes.ts";
import { isEncoded, type OutputPlan } from "./plan-output.ts";

const kinds: Readonly<Record<Container, FileKind>> = {
  mp4: "mp4",
  mov: "mov",
  m4a: "mp4",
  mkv: "matroska",
  mka: "matroska",
  webm: "webm",
  mp3: "mp3",
  opus: "ogg",
  ogg: "ogg",
  flac: "flac",
  wav: "wav",
};

/** The kind of file that each container is. */
export function kindOfContainer(container: Container): FileKind {
  return kinds[container];
}

/**
 * True if the source's only file already is the planned one, stream by stream, and can be stored unchanged; an audio
 * file's cover may stay. `boxes` are those of an mp4, otherwise null.
 */
export function passesThrough(
  inputs: readonly ProbedMedia[],
  plan: OutputPlan,
  boxes: BoxWalk | null,
): boolean {
  const [only, ...others] = inputs;
  if (only === undefined || others.length > 0) return false;
  if (isEncoded(plan)) return false;
  if (only.video.length !== Number(plan.video !== null)) return false;
  if (only.audio.length !== Number(plan.audio !== null)) return false;
  if (only.hasOtherStreams || (plan.video !== null && only.hasCover)) return false;
  if (only.kind !== kinds[plan.container]) return false;
  return boxes === null || playsFromStart(boxes);
}
