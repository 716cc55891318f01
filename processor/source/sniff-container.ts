/** Containers told by their first bytes, named as ffmpeg names what reads them. */
export type SniffedContainer =
  | "mov"
  | "matroska"
  | "mp3"
  | "aac"
  | "ogg"
  | "flac"
  | "wav"
  | "avi"
  | "flv"
  | "mpegts";

/** How many bytes are enough, but for a tag of over 3 KiB before the sound, which then counts as mp3. */
export const sniffedBytes = 4096;

const ebmlMagic = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

/** The container of media that begins with these bytes, or null: no media, or none that is taken. `mov` is mp4 too. */
export function sniffContainer(head: Buffer): SniffedContainer | null {
  const text = (start: number, end: number) => head.toString("latin1", start, end);
  if (/^(ftyp|moov|mdat|wide|free|skip|pnot)$/.test(text(4, 8))) return "mov";
  if (head.subarray(0, 4).equals(ebmlMagic)) return "matroska";
  if (text(0, 4) === "OggS") return "ogg";
  if (text(0, 4) === "fLaC") return "flac";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WAVE") return "wav";
  if (text(0, 4) === "RIFF" && text(8, 12) === "AVI ") return "avi";
  if (text(0, 4) === "FLV\x01") return "flv";
  if ([0, 188, 376].every((offset) => head[offset] === 0x47)) return "mpegts";
  if (text(0, 3) === "ID3" && head.length >= 10) {
    const sound = head.subarray(id3Bytes(head));
    return sound.length === 0 ? "mp3" : sniffContainer(sound);
  }
  return sniffFrame(head);
}

/** Length of the tag in front, from its size of four 7-bit bytes. */
function id3Bytes(head: Buffer): number {
  const size = [6, 7, 8, 9].reduce((sum, offset) => (sum << 7) | ((head[offset] ?? 0) & 0x7f), 0);
  return 10 + size;
}

/** Sound without a container: the header of its first frame. */
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
