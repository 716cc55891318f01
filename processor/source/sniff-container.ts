import { findFrames } from "../containers/find-frames.ts";

/** Containers recognized by their first bytes, named after their ffmpeg demuxers. */
export type SniffedContainer =
  | "mov"
  | "matroska"
  | "mp3"
  | "aac"
  | "ac3"
  | "eac3"
  | "ogg"
  | "flac"
  | "wav"
  | "w64"
  | "aiff"
  | "caf"
  | "avi"
  | "flv"
  | "asf"
  | "mpeg"
  | "mpegts";

/** How many bytes are enough, except for a tag of over 3 KiB before the audio, which then counts as mp3. */
export const sniffedBytes = 4096;
/** How many bytes are enough if those are padding. */
export const paddedBytes = 64 * 1024;

const ebmlMagic = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
const asfHeader = Buffer.from("3026b2758e66cf11a6d900aa0062ce6c", "hex");
const w64Header = Buffer.from("726966662e91cf11a5d628db04c10000", "hex");
const mpegPackHeader = Buffer.from([0, 0, 1, 0xba]);

/** The container of media with this beginning; null if it is not media, or not supported. `mov` includes mp4. */
export function sniffContainer(head: Buffer): SniffedContainer | null {
  const text = (start: number, end: number) => head.toString("latin1", start, end);
  if (/^(ftyp|moov|mdat|wide|free|skip|pnot)$/.test(text(4, 8))) return "mov";
  if (head.subarray(0, 4).equals(ebmlMagic)) return "matroska";
  if (text(0, 4) === "OggS") return "ogg";
  if (text(0, 4) === "fLaC") return "flac";
  // Recordings of more than 4 GiB are RF64.
  if (/^(RIFF|RF64)$/.test(text(0, 4)) && text(8, 12) === "WAVE") return "wav";
  if (text(0, 4) === "RIFF" && text(8, 12) === "AVI ") return "avi";
  if (text(0, 4) === "FORM" && /^AIF[FC]$/.test(text(8, 12))) return "aiff";
  if (text(0, 4) === "caff") return "caf";
  if (text(0, 4) === "FLV\x01") return "flv";
  if (head.subarray(0, 16).equals(asfHeader)) return "asf";
  if (head.subarray(0, 16).equals(w64Header)) return "w64";
  if (head[0] === 0x0b && head[1] === 0x77) return sniffDolby(head);
  if (head.subarray(0, 4).equals(mpegPackHeader)) return "mpeg";
  if (isTransportStream(head)) return "mpegts";
  const tagBytes = id3Bytes(head);
  if (tagBytes > 0) {
    const content = head.subarray(tagBytes);
    return content.length === 0 ? "mp3" : sniffContainer(content);
  }
  return sniffAudio(withoutPadding(head)) ?? findFrames(head)?.kind ?? null;
}

/** The header of a frame says to which version of the standard it belongs. */
function sniffDolby(head: Buffer): "ac3" | "eac3" | null {
  const version = (head[5] ?? 0xff) >> 3;
  if (version > 16) return null;
  return version > 10 ? "eac3" : "ac3";
}

/** Audio without a container, possibly after a tag. */
function sniffAudio(head: Buffer): "mp3" | "aac" | null {
  const audio = head.subarray(id3Bytes(head));
  return audio.length === 0 && head.length > 0 ? "mp3" : sniffFrame(withoutPadding(audio));
}

/** True if everything, possibly after a tag, is padding. */
export function isPadding(head: Buffer): boolean {
  const content = head.subarray(id3Bytes(head));
  return content.length > 0 && withoutPadding(content).length === 0;
}

/** Some encoders write zeros before the first frame, and some web servers' scripts print line breaks. */
const paddings: ReadonlySet<number> = new Set([0, 10, 13, 32]);

function withoutPadding(head: Buffer): Buffer {
  const start = head.findIndex((byte) => !paddings.has(byte));
  return start === -1 ? head.subarray(head.length) : head.subarray(start);
}

/**
 * Packets that start with a G: bare, preceded by a time of four bytes each, or followed by sixteen of error correction.
 */
function isTransportStream(head: Buffer): boolean {
  const kinds = [
    { first: 0, packetBytes: 188 },
    { first: 4, packetBytes: 192 },
    { first: 0, packetBytes: 204 },
  ];
  return kinds.some(({ first, packetBytes }) =>
    [0, 1, 2].every((packet) => head[first + packet * packetBytes] === 0x47),
  );
}

/** Length of the leading tag, from its size in four 7-bit bytes; 0 if there is none. */
function id3Bytes(head: Buffer): number {
  if (head.toString("latin1", 0, 3) !== "ID3" || head.length < 10) return 0;
  const size = [6, 7, 8, 9].reduce((sum, offset) => (sum << 7) | ((head[offset] ?? 0) & 0x7f), 0);
  return 10 + size;
}

/** Audio without a container: the header of its first frame. */
function sniffFrame(head: Buffer): "mp3" | "aac" | null {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf0) === 0xf0 ? "aac" : null;
  const isLayer2or3 = layer === 1 || layer === 2;
  const hasBitrate = third >> 4 !== 15;
  const hasSampleRate = ((third >> 2) & 3) !== 3;
  return version !== 1 && isLayer2or3 && hasBitrate && hasSampleRate ? "mp3" : null;
}
