import { findFrames } from "../find-frames.ts";

const ratesHz = [44_100, 48_000, 32_000] as const;
const idBytes = 4;

/**
 * The duration in seconds that an mp3's first frame states in place of audio (Xing, Info or VBRI); null if it does not.
 * `head` starts after the tags. In concatenated files it is that of the first part.
 */
export function promisedMp3Seconds(head: Buffer): number | null {
  const frame = firstFrame(head);
  const [, second = 0, third = 0, fourth = 0] = frame ?? [];
  if (frame === null) return null;
  const version = (second >> 3) & 3;
  const rate = ratesHz[(third >> 2) & 3];
  if (rate === undefined || version === 1) return null;
  const isFirstVersion = version === 3;
  const isMono = fourth >> 6 === 3;
  const sideBytes = isFirstVersion ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const frames = xingFrames(frame.subarray(4 + sideBytes)) ?? vbriFrames(frame.subarray(4 + 32));
  if (frames === null) return null;
  const samples = isFirstVersion ? 1152 : 576;
  const divisor = isFirstVersion ? 1 : version === 2 ? 2 : 4;
  return (frames * samples * divisor) / rate;
}

/** Null if there is none. */
function firstFrame(head: Buffer): Buffer | null {
  const start = head.findIndex((byte) => byte !== 0);
  const [first = 0, second = 0] = head.subarray(Math.max(0, start));
  if (first === 0xff && (second & 0xe6) === 0xe2) return head.subarray(start);
  const found = findFrames(head);
  return found?.kind === "mp3" ? head.subarray(found.offset) : null;
}

function xingFrames(note: Buffer): number | null {
  if (!/^(Xing|Info)$/.test(note.toString("latin1", 0, idBytes)) || note.length < 12) return null;
  const saysFrames = (note.readUInt32BE(idBytes) & 1) === 1;
  return saysFrames ? note.readUInt32BE(8) || null : null;
}

function vbriFrames(note: Buffer): number | null {
  if (note.toString("latin1", 0, idBytes) !== "VBRI" || note.length < 18) return null;
  return note.readUInt32BE(14) || null;
}

export const tagHeaderBytes = 10;

/** The length of the tag whose header begins here; 0 if there is none. */
export function tagBytes(head: Buffer): number {
  if (head.length < tagHeaderBytes || head.toString("latin1", 0, 3) !== "ID3") return 0;
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
  const footerBytes = ((head[5] ?? 0) & 0x10) === 0 ? 0 : 10;
  return tagHeaderBytes + size + footerBytes;
}
