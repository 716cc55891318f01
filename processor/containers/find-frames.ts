import { readMp3Frame } from "./mp3/mp3-frame.ts";

/** Where audio without a container begins. */
interface FoundFrames {
  readonly kind: "mp3" | "aac";
  readonly offset: number;
}

/** What is needed of a frame's header to find the next one. */
interface FrameHeader {
  readonly bytes: number;
  /** What all frames of one stream have in common. */
  readonly sort: number;
}

/** A frame's header looks like many other bytes; three frames in a row do not. */
export const tellingFrames = 3;
/** Of the longer one of the two headers. */
export const frameHeaderBytes = 7;

/**
 * Finds the first frames of audio that follows something else: line breaks that a script printed, or the rest of a frame
 * in a recording of a radio station. Null if there are none in these bytes.
 */
export function findFrames(head: Buffer): FoundFrames | null {
  for (let offset = head.indexOf(0xff); offset !== -1; offset = head.indexOf(0xff, offset + 1)) {
    if (areFrames(head, offset, readMp3Frame)) return { kind: "mp3", offset };
    if (areFrames(head, offset, readAacFrame)) return { kind: "aac", offset };
  }
  return null;
}

/** Reads the header of a frame of either kind; null if these bytes are none. */
export function readFrame(header: Buffer): FrameHeader | null {
  return readMp3Frame(header) ?? readAacFrame(header);
}

function areFrames(head: Buffer, start: number, read: (header: Buffer) => FrameHeader | null): boolean {
  let sort: number | null = null;
  for (let at = start, count = 0; count < tellingFrames; count += 1) {
    const frame = read(head.subarray(at, at + frameHeaderBytes));
    if (frame === null || (sort !== null && frame.sort !== sort)) return false;
    ({ sort } = frame);
    at += frame.bytes;
  }
  return true;
}

/** In the transport format ADTS. */
function readAacFrame([
  first = 0,
  second = 0,
  third = 0,
  fourth = 0,
  fifth = 0,
  sixth,
]: Buffer): FrameHeader | null {
  if (first !== 0xff || (second & 0xf6) !== 0xf0 || sixth === undefined) return null;
  const bytes = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  const rate = (third >> 2) & 15;
  return bytes <= frameHeaderBytes || rate > 12 ? null : { bytes, sort: second * 256 + (third & 0xfc) };
}
