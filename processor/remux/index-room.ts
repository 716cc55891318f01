import type { OutputPlan } from "../mux/plan-output.ts";

/** What an index takes besides its samples: descriptions, and what the source says of the whole. */
const fixedBytes = 64 * 1024;
/** A picture has its length, and may have its times and a place among those that stand alone. */
const bytesPerPicture = 24;
/** Of frames of sound only the length differs. */
const bytesPerFrameOfSound = 8;
/** More than nearly every film has. */
const picturesPerSecond = 60;
const framesOfSoundPerSecond = 96_000 / 1024;
/** Every second or so its streams take turns, and each turn has a place and a length. */
const bytesPerSecond = 64;
/** A source may have a little more than it says. */
const spare = 1.1;
/** Of more than three hours of pictures: an index is kept in memory until its file is whole, whatever its source says. */
const roomMaxBytes = 32 * 1024 * 1024;

/**
 * Room to leave in front of an mp4 of so many seconds for its index, and how many samples it is sure to have room for.
 * Too little is found out while the file is made, and costs making it again. Null for more than is kept in memory.
 */
export function roomFor(
  { video, audio }: OutputPlan,
  seconds: number,
): { headBytes: number; samplesMax: number } | null {
  const pictures = video === null ? 0 : picturesPerSecond * bytesPerPicture;
  const sounds = audio === null ? 0 : framesOfSoundPerSecond * bytesPerFrameOfSound;
  const bytes = Math.ceil((pictures + sounds + bytesPerSecond) * seconds * spare);
  const headBytes = fixedBytes + bytes;
  return headBytes > roomMaxBytes ? null : { headBytes, samplesMax: Math.ceil(headBytes / bytesPerSample) };
}

/** At the least: of each sample its length is told. */
const bytesPerSample = 4;
