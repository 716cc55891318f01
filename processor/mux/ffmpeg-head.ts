import type { OutputPlan } from "./plan-output.ts";

/** What an index takes besides its packets. */
const fixedBytes = 64 * 1024;
/** With two interleaved streams, each packet may be a run of its own, with its offset, length and times. */
const packetBytes = 32;
/** Audio alone is stored in long runs of packets that differ only in length. */
const audioPacketBytes = 8;
/** A source may have a little more than it says. */
const spare = 1.1;

/** More than any film has; assumed for a source that does not say. */
const framesPerSecond = 60;
/** For the codecs with the shortest packets: mp3 at low sample rates, and Opus with packets of 10 ms. */
const samplesPerPacket = 576;
const audioRateHz = 48_000;

/**
 * The space that ffmpeg is to reserve for the index at the front of an mp4 of this duration, in bytes. If it is too
 * small, that is noticed when the file is finished, and the file has to be made again.
 */
export function indexRoomBytes({ video, audio }: OutputPlan, seconds: number): number {
  const videoPackets = video === null ? 0 : (video.stream.framesPerSecond ?? framesPerSecond);
  const audioPackets = audio === null ? 0 : (audio.stream.rateHz ?? audioRateHz) / samplesPerPacket;
  const bytes = video === null ? audioPacketBytes : packetBytes;
  return fixedBytes + Math.ceil((videoPackets + audioPackets) * seconds * bytes * spare);
}

/**
 * Before and after the reserved space are the headers of the file and of its media, which are also written at the end.
 */
const headersBytes = 256;

/**
 * How many bytes at the beginning of a file ffmpeg rewrites after everything else; after those it only writes forward.
 * `indexRoom` is the space it has reserved for an index; null if none.
 */
export function ffmpegHeadBytes(indexRoom: number | null): number {
  return (indexRoom ?? fixedBytes) + headersBytes;
}
