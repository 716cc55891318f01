import { open, type FileHandle } from "node:fs/promises";
import { followFile, readFrom } from "../containers/follow-file.ts";
import { JobFailure } from "../pipeline/job.ts";
import { durationProblem, saysDuration } from "./expected-duration.ts";
import { findIndexedEnd } from "../containers/mp4/segment-index.ts";
import { verifyDescription } from "./verify-description.ts";
import { verifySamples } from "./verify-samples.ts";
import type { ProbedMedia, Workshop } from "../mux/media.ts";
import { promisedMp3Seconds, tagBytes } from "../containers/mp3/mp3-promise.ts";
import { walkBoxes } from "../containers/mp4/mp4-boxes.ts";
import { endsOgg, oggPageMaxBytes } from "../containers/ogg/ogg-end.ts";
import { playedSeconds } from "./played-seconds.ts";
import { promisedBytes } from "../containers/promised-bytes.ts";

const headBytes = 64 * 1024;
/** Before the audio of an mp3; usually there is one. */
const mostTags = 8;

/**
 * Compares a downloaded file with what its own header promises: its size if that is stated, otherwise its duration.
 * Resolves with its measured duration in seconds, null if only the header states one. Rejects with JobFailure
 * `invalid_media` if it is truncated or damaged.
 */
export async function verifySource(
  path: string,
  probed: ProbedMedia,
  workshop: Workshop,
): Promise<number | null> {
  const { kind } = probed;
  const hasBoxes = kind === "mp4" || kind === "mov";
  const isCutOff = await reading(path, async (file) => {
    if (!hasBoxes) return endsEarly(file, probed);
    const { boxes, isCut } = await walkBoxes(path);
    return isCut || (await findIndexedEnd(file, boxes)).isMissing;
  });
  if (isCutOff) throw new JobFailure("invalid_media", "the media is truncated");
  // The boxes and index of an mp4 tell everything; other kinds have to be walked or read to the end.
  if (hasBoxes) {
    await verifyDescription(path);
    await verifySamples(path);
    return null;
  }
  const followed = await followFile(path);
  if (followed !== null) return followed.durationSeconds;
  const promised = kind === "mp3" ? await reading(path, mp3Seconds) : durationOf(probed);
  if (promised === null) return null;
  const played = await playedSeconds({ path, kind }, workshop);
  const problem = durationProblem(played, { least: promised, most: null });
  if (problem !== null) throw new JobFailure("invalid_media", problem);
  return played;
}

function durationOf(probed: ProbedMedia): number | null {
  return saysDuration(probed) ? probed.durationSeconds : null;
}

async function endsEarly(file: FileHandle, { kind }: ProbedMedia): Promise<boolean> {
  const { size } = await file.stat();
  if (kind === "ogg")
    return !endsOgg(await readFrom(file, Math.max(0, size - oggPageMaxBytes), oggPageMaxBytes));
  const promised = promisedBytes(kind, await readFrom(file, 0, headBytes));
  return promised !== null && size < promised;
}

async function mp3Seconds(file: FileHandle): Promise<number | null> {
  let offset = 0;
  for (let tags = 0; tags <= mostTags; tags += 1) {
    const head = await readFrom(file, offset, headBytes);
    const bytes = tagBytes(head);
    if (bytes === 0) return promisedMp3Seconds(head);
    offset += bytes;
  }
  return null;
}

async function reading<Result>(path: string, read: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}
