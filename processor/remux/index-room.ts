import type { AudioStream } from "../mux/media.ts";
import type { OutputPlan } from "../mux/plan-output.ts";

/** What an index takes besides its samples, the descriptions of its tracks and what the source says of the whole. */
const fixedBytes = 2048;
/** A picture has its length, and may have its times and a place among those that stand alone. */
const bytesPerPicture = 24;
/** Of frames of sound only the length differs. */
const bytesPerFrameOfSound = 4;
/** More than nearly every film has. */
const picturesPerSecond = 60;
/** Hardly a frame is shorter. */
const samplesPerFrameOfSound = 960;
const samplesPerFrameOfOpus = 480;
const soundRateHz = 96_000;
/** Pieces of a second or so may begin a little later than the one before ends, which takes two more times. */
const bytesPerSecond = 16;
/** Of streams that take turns each turn has a place and a length. */
const bytesPerSecondOfTurns = 64;
/** A source may have a little more than it says. */
const spare = 1.1;
/** Of more than three hours of pictures: an index is kept in memory until its file is whole, whatever its source says. */
const roomMaxBytes = 32 * 1024 * 1024;

/**
 * Room to leave in front of an mp4 of so many seconds for its index, and how many samples it is sure to have room for.
 * `describedBytes` are what describes its tracks and the whole. Too little is found out while the file is made, and
 * costs making it again. Null for more than is kept in memory.
 */
export function roomFor(
  { video, audio }: OutputPlan,
  seconds: number,
  describedBytes: number,
): { headBytes: number; samplesMax: number } | null {
  const pictures = video === null ? 0 : picturesPerSecond * bytesPerPicture;
  const sounds = audio === null ? 0 : framesPerSecond(audio.stream) * bytesPerFrameOfSound;
  const turns = video === null || audio === null ? 0 : bytesPerSecondOfTurns;
  const bytes = Math.ceil((pictures + sounds + turns + bytesPerSecond) * seconds * spare);
  const headBytes = fixedBytes + describedBytes + bytes;
  return headBytes > roomMaxBytes ? null : { headBytes, samplesMax: Math.ceil(headBytes / bytesPerSample) };
}

function framesPerSecond({ codec, rateHz }: AudioStream): number {
  return (rateHz ?? soundRateHz) / (codec === "opus" ? samplesPerFrameOfOpus : samplesPerFrameOfSound);
}

/** At the least: of each sample its length is told. */
const bytesPerSample = 4;
