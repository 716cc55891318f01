/** The header of an mp3 frame. */
export interface Mp3Frame {
  /** Including the header. */
  readonly bytes: number;
  readonly seconds: number;
  /** What all frames of one stream have in common: version and sample rate. */
  readonly sort: number;
}

export const mp3HeaderBytes = 4;

const ratesHz = [44_100, 48_000, 32_000] as const;
const thirdLayer = 1;
/** By the index in the header. Index 0 means a bitrate that is not stated. */
const firstVersionKbps = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const laterVersionKbps = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;

/** Reads a frame's header; null if these bytes are not a header, or do not say how long the frame is. */
export function readMp3Frame(header: Uint8Array): Mp3Frame | null {
  const [first = 0, second = 0, third = 0, fourth] = header;
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || fourth === undefined) return null;
  const version = (second >> 3) & 3;
  const baseHz = ratesHz[(third >> 2) & 3];
  if (version === 1 || ((second >> 1) & 3) !== thirdLayer || baseHz === undefined) return null;
  const isFirstVersion = version === 3;
  const kbps = (isFirstVersion ? firstVersionKbps : laterVersionKbps)[third >> 4];
  if (kbps === undefined || kbps === 0) return null;
  const rateHz = baseHz / (isFirstVersion ? 1 : version === 2 ? 2 : 4);
  const samples = isFirstVersion ? 1152 : 576;
  return {
    bytes: Math.floor((samples * kbps * 125) / rateHz) + ((third >> 1) & 1),
    seconds: samples / rateHz,
    sort: version * 4 + ((third >> 2) & 3),
  };
}
