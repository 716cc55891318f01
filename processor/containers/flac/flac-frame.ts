/** The header of a FLAC frame. */
export interface FlacFrame {
  /** Per channel. */
  readonly samples: number;
  /** The frame's number, or its first sample's if frames differ in length. */
  readonly number: number;
  readonly countsSamples: boolean;
}

/** The maximum length of a header. */
export const flacHeaderMaxBytes = 16;

/** True if a frame header may begin here. */
export function isFlacSync(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xfe) === 0xf8;
}

/** Reads a frame's header; null if there is none here, or its checksum is wrong. */
export function readFlacFrame(bytes: Buffer, start: number): FlacFrame | null {
  if (!isFlacSync(bytes, start)) return null;
  const lengths = bytes[start + 2] ?? 0;
  const coded = readNumber(bytes, start + 4);
  if (coded === null) return null;
  const [sizeCode, rateCode] = [lengths >> 4, lengths & 15];
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const rateBytes = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  const sumAt = coded.end + sizeBytes + rateBytes;
  if (sumAt >= bytes.length || headerSum(bytes.subarray(start, sumAt)) !== bytes[sumAt]) return null;
  const samples = sizeBytes > 0 ? bytes.readUIntBE(coded.end, sizeBytes) + 1 : usualSamples(sizeCode);
  if (samples === null) return null;
  return { samples, number: coded.number, countsSamples: (bytes[start + 1] ?? 0) % 2 === 1 };
}

function usualSamples(code: number): number | null {
  if (code === 0) return null;
  if (code === 1) return 192;
  return code < 6 ? 576 * 2 ** (code - 2) : 256 * 2 ** (code - 8);
}

/** A number coded like UTF-8, of up to seven bytes, and where it ends. */
function readNumber(bytes: Uint8Array, at: number): { number: number; end: number } | null {
  const first = bytes[at] ?? 0xff;
  const ones = Math.clz32(~(first << 24));
  if (ones === 0) return { number: first, end: at + 1 };
  if (ones === 1 || ones === 8) return null;
  let number = first & (2 ** (7 - ones) - 1);
  for (let next = at + 1; next < at + ones; next += 1) {
    const byte = bytes[next] ?? 0;
    if (byte >> 6 !== 2) return null;
    number = number * 64 + (byte & 63);
  }
  return { number, end: at + ones };
}

function headerSum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum >= 128 ? 0x07 : 0)) & 0xff;
  }
  return sum;
}
