import type { AudioStream } from "../mux/media.ts";
import type { OutputPlan } from "../mux/plan-output.ts";

/** What an index takes besides its samples, the descriptions of its tracks and the source's metadata. */
const fixedBytes = 2048;
/** A frame has a length, and may have times and an entry among those that can be decoded alone. */
const bytesPerVideoFrame = 24;
/** Those of audio only differ in length. */
const bytesPerAudioFrame = 4;
/** More than nearly any film has. */
const videoFramesPerSecond = 60;
/** Hardly any frame is shorter. */
const samplesPerAudioFrame = 960;
const samplesPerOpusFrame = 480;
const audioRateHz = 96_000;
/** Fragments of about a second may begin slightly later than the previous one ends, which takes two more times. */
const bytesPerSecond = 16;
/** For interleaved streams, each run of samples has an offset and a length. */
const bytesPerSecondOfTurns = 64;
/** A source may have a little more than it says. */
const spare = 1.1;
/**
 * Enough for more than three hours of video. An index is kept in memory until its file is complete, whatever its source
 * says.
 */
const roomMaxBytes = 32 * 1024 * 1024;

/**
 * The space to reserve at the front of an mp4 of this duration, in which `writeHead` puts its index, and how many
 * samples are certain to fit. `describedBytes` is the size of the track descriptions and metadata. If it is too small,
 * that is noticed while the file is being made, which then has to be made again. Null for more than is kept in memory.
 */
export function reserveHead(
  { video, audio }: OutputPlan,
  seconds: number,
  describedBytes: number,
): { headBytes: number; samplesMax: number } | null {
  const videoBytes = video === null ? 0 : videoFramesPerSecond * bytesPerVideoFrame;
  const audioBytes = audio === null ? 0 : audioFramesPerSecond(audio.stream) * bytesPerAudioFrame;
  const turnBytes = video === null || audio === null ? 0 : bytesPerSecondOfTurns;
  const bytes = Math.ceil((videoBytes + audioBytes + turnBytes + bytesPerSecond) * seconds * spare);
  const headBytes = fixedBytes + describedBytes + bytes;
  return headBytes > roomMaxBytes ? null : { headBytes, samplesMax: Math.ceil(headBytes / bytesPerSample) };
}

function audioFramesPerSecond({ codec, rateHz }: AudioStream): number {
  return (rateHz ?? audioRateHz) / (codec === "opus" ? samplesPerOpusFrame : samplesPerAudioFrame);
}

/** The minimum: each sample's length. */
const bytesPerSample = 4;
