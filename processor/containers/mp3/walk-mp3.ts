import { mp3HeaderBytes, readMp3Frame } from "./mp3-frame.ts";
import { tagBytes } from "./mp3-promise.ts";
import type { ByteWalk } from "../walk-bytes.ts";

/** Some encoders begin with zeros, and some taggers leave them after the last frame. */
const paddingMaxBytes = 64 * 1024;

/**
 * Walks an mp3 frame by frame and returns its duration in seconds. Each header says where the next one is, so a stream
 * that is truncated, has a hole or is not mp3 breaks the chain. Tags and zeros may surround the frames; null if there
 * is anything else.
 */
export function* walkMp3(): ByteWalk<number | null> {
  let seconds = 0;
  let sort: number | null = null;
  let padding = 0;
  let head = yield mp3HeaderBytes;
  while (head.length > 0) {
    const frame = readMp3Frame(head);
    if (frame !== null && (sort === null || frame.sort === sort)) {
      yield mp3HeaderBytes + 1 - frame.bytes;
      if ((yield 1).length === 0) return null;
      ({ sort } = frame);
      seconds += frame.seconds;
      head = yield mp3HeaderBytes;
    } else if (head[0] === 0 && padding < paddingMaxBytes) {
      padding += 1;
      head = Buffer.concat([head.subarray(1), yield 1]);
    } else {
      const isTag = yield* leaveTag(head);
      if (!isTag) return null;
      head = yield mp3HeaderBytes;
    }
  }
  return sort === null ? null : seconds;
}

const id3HeaderBytes = 10;
const id3v1Bytes = 128;
const apeHeaderBytes = 32;
const apeSizeOffset = 12;

/** Skips the tag that begins with these bytes. False if they begin none. */
function* leaveTag(head: Buffer): ByteWalk<boolean> {
  const mark = head.toString("latin1");
  if (mark.startsWith("ID3")) {
    const header = Buffer.concat([head, yield id3HeaderBytes - head.length]);
    yield id3HeaderBytes - tagBytes(header);
    return tagBytes(header) > 0;
  }
  if (mark.startsWith("TAG")) {
    yield head.length - id3v1Bytes;
    return true;
  }
  if (mark === "APET") {
    const header = Buffer.concat([head, yield apeHeaderBytes - head.length]);
    if (header.length < apeHeaderBytes) return false;
    yield -header.readUInt32LE(apeSizeOffset);
    return true;
  }
  return false;
}
