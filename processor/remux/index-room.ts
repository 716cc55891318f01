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

/**
 * Room to leave in front of an mp4 of so many seconds for its index, and how many samples it is sure to have room for.
 * Too little is found out while the file is made, and costs making it again.
 */
export function roomFor(
  { video, audio }: OutputPlan,
  seconds: number,
): { headBytes: number; samplesMax: number } {
  const pictures = video === null ? 0 : picturesPerSecond * bytesPerPicture;
  const sounds = audio === null ? 0 : framesOfSoundPerSecond * bytesPerFrameOfSound;
  const bytes = Math.ceil((pictures + sounds + bytesPerSecond) * seconds * spare);
  return { headBytes: fixedBytes + bytes, samplesMax: Math.ceil((fixedBytes + bytes) / bytesPerSample) };
}

/** At the least: of each sample its length is told. */
const bytesPerSample = 4;
