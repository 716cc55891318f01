import type { OutputPlan } from "./plan-output.ts";

/** Of an index: what it takes besides its packets. */
const fixedBytes = 64 * 1024;
/** Of two streams turn about, each packet may be a run of its own, with its place, its length and its times. */
const packetBytes = 32;
/** Sound alone lies in long runs, of packets that differ in length only. */
const packetBytesOfSound = 8;
/** A source may have a little more than it says. */
const spare = 1.1;

/** More than any film has; a source that does not say how many is taken for one with as many. */
const framesPerSecond = 60;
/** Of the codecs whose packets may be shortest: mp3 of low rates, and opus in packets of 10 ms. */
const samplesPerPacket = 576;
const soundRateHz = 48_000;

/**
 * Room to reserve for the index in front of an mp4 of so many seconds, in bytes. Too little is found out when the file
 * is finished, and costs making it again.
 */
export function indexRoomBytes({ video, audio }: OutputPlan, seconds: number): number {
  const pictures = video === null ? 0 : (video.stream.framesPerSecond ?? framesPerSecond);
  const sounds = audio === null ? 0 : (audio.stream.rateHz ?? soundRateHz) / samplesPerPacket;
  const bytes = video === null ? packetBytesOfSound : packetBytes;
  return fixedBytes + Math.ceil((pictures + sounds) * seconds * bytes * spare);
}

/** Before and behind the room lie the headers of the file and of its media, which are written at the end too. */
const headersBytes = 256;

/**
 * How many bytes at the beginning of a file its muxer comes back to when everything else is written; behind them it
 * writes forward only.
 */
export function headBytes(indexRoom: number | null): number {
  return (indexRoom ?? fixedBytes) + headersBytes;
}
