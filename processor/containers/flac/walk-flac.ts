import { isAppendedTag } from "../appended-tag.ts";
import { flacHeaderMaxBytes, isFlacSync, readFlacFrame, type FlacFrame } from "./flac-frame.ts";
import type { Verdict } from "../sample-tally.ts";
import { takeExactly, walkThrough, type ByteWalk } from "../walk-bytes.ts";

const markBytes = 4;
const blockHeaderBytes = 4;
const streamInfoBytes = 34;

/** Walks to the start of the frames, after the metadata; null if the stream does not begin like FLAC. */
export function* walkToFrames(): ByteWalk<number | null> {
  if ((yield markBytes).toString("latin1") !== "fLaC") return null;
  for (let end = markBytes; ;) {
    const header = yield blockHeaderBytes;
    if (header.length < blockHeaderBytes) return null;
    const bytes = header.readUIntBE(1, 3);
    end += blockHeaderBytes + bytes;
    if (((header[0] ?? 0) & 0x80) !== 0) return end;
    if (bytes > 0) yield -bytes;
  }
}

/** What comes before the frames of a FLAC file. */
export interface FlacHead {
  readonly bytes: Buffer;
  /** Per channel. */
  readonly samples: number;
}

/** Null if it is incomplete, or the writer did not know how many samples would follow. */
export function readFlacHead(head: Buffer): FlacHead | null {
  const led = walkThrough(walkToFrames(), head);
  const end = "finding" in led ? led.finding : null;
  const info = head.subarray(markBytes + blockHeaderBytes, markBytes + blockHeaderBytes + streamInfoBytes);
  if (end === null || head.length < end || info.length < streamInfoBytes) return null;
  const samples = ((info[13] ?? 0) & 15) * 2 ** 32 + info.readUInt32BE(14);
  return samples === 0 ? null : { bytes: Buffer.from(head.subarray(0, end)), samples };
}

const pieceBytes = 64 * 1024;

/**
 * Walks a FLAC file frame by frame. It is right if each frame's checksum matches, they are numbered without gaps, and
 * together they have all the promised samples; a tag may follow. A frame does not state its length: it ends where its
 * checksum matches and the next one begins.
 */
export function* walkFlac(head: FlacHead): ByteWalk<Verdict> {
  if (!(yield* takeExactly(head.bytes))) return "unsure";
  let frame: FlacFrame | null = null;
  let samples = 0;
  let sum = 0;
  let bytes: Buffer = Buffer.alloc(0);
  for (let isOver = false; !isOver;) {
    const piece = yield pieceBytes;
    isOver = piece.length < pieceBytes;
    bytes = Buffer.concat([bytes, piece]);
    const end = isOver ? bytes.length : bytes.length - flacHeaderMaxBytes;
    let at = 0;
    for (; at < end; at += 1) {
      if (sum === 0 && samples === head.samples && isAppendedTag(bytes.subarray(at))) return "right";
      if (sum === 0 && (frame === null || isFlacSync(bytes, at))) {
        const next: FlacFrame | null = readFlacFrame(bytes, at);
        if (next !== null && isNext(next, frame, samples)) {
          frame = next;
          samples += next.samples;
        } else if (frame === null) return "damaged";
      }
      sum = ((sum << 8) & 0xffff) ^ (remainders[(sum >> 8) ^ (bytes[at] ?? 0)] ?? 0);
    }
    bytes = bytes.subarray(at);
  }
  if (sum === 0 && samples === head.samples) return "right";
  // Bytes that belong to no frame may be padding.
  return samples < head.samples ? "damaged" : "unsure";
}

function isNext(next: FlacFrame, frame: FlacFrame | null, samples: number): boolean {
  return next.number === (next.countsSamples ? samples : frame === null ? 0 : frame.number + 1);
}

/** Table for the CRC with FLAC's polynomial, by byte. */
const remainders = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 8;
  for (let bit = 0; bit < 8; bit += 1)
    remainder = (remainder << 1) ^ ((remainder & 0x8000) === 0 ? 0 : 0x8005);
  return remainder;
});
