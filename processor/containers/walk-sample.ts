import { mp3HeaderBytes, readMp3Frame } from "./mp3/mp3-frame.ts";
import { isOpusPacket } from "./opus-packet.ts";
import type { SampleCheck } from "./sample-check.ts";
import { leaveOut, takeAll, type ByteWalk } from "./walk-bytes.ts";

/** A sample that cannot be of its kind is `broken`; one that only some encoders write is `odd`. */
export type Look = "right" | "odd" | "broken";

/** Checks a sample of this size, passing all its bytes. Null if the stream ends inside. */
export function* walkSample(size: number, check: SampleCheck): ByteWalk<Look | null> {
  if (check.kind === "h264" || check.kind === "h265") return yield* walkUnits(size, check);
  if (check.kind === "av1") return yield* walkObus(size);
  if (check.kind === "aac" || check.kind === "opus" || check.kind === "vorbis") {
    return yield* walkAudio(size, audioLooks[check.kind]);
  }
  const head = yield* take(Math.min(size, headBytes));
  const isThere = head !== null && (yield* leaveOut(size - head.length));
  return isThere ? headLooks[check.kind](head, size) : null;
}

/** This many bytes; null if the stream ends inside. */
function* take(bytes: number): ByteWalk<Buffer | null> {
  if (bytes === 0) return Buffer.alloc(0);
  const taken = yield bytes;
  return taken.length < bytes ? null : taken;
}

type UnitsCheck = Extract<SampleCheck, { lengthBytes: number }>;

/** An h264 or h265 picture: units, each preceded by its length, that fill the sample, some of them picture data. */
function* walkUnits(size: number, { kind, lengthBytes }: UnitsCheck): ByteWalk<Look | null> {
  const sorts = new Set<UnitSort>();
  let left = size;
  while (left > lengthBytes) {
    const head = yield* take(lengthBytes + 1);
    if (head === null) return null;
    const unitBytes = head.readUIntBE(0, lengthBytes);
    const first = head[lengthBytes] ?? 0;
    const isForbidden = (first & 0x80) !== 0;
    sorts.add(unitSorts[kind](first));
    left -= head.length;
    if (unitBytes === 0 || unitBytes - 1 > left || isForbidden)
      return (yield* leaveOut(left)) ? "broken" : null;
    const hasHole = yield* walkUnit(unitBytes - 1);
    if (hasHole === null) return null;
    left -= unitBytes - 1;
    if (hasHole) return (yield* leaveOut(left)) ? "broken" : null;
  }
  if (!(yield* leaveOut(left))) return null;
  if (size > 0 && !sorts.has("picture")) return sorts.has("foreign") ? "broken" : "odd";
  return left === 0 ? "right" : "odd";
}

/** Picture data, what comes with it, or a type that is never written: then the unit is of another codec. */
type UnitSort = "picture" | "auxiliary" | "foreign";

/** By the first byte of a unit. */
const unitSorts: Readonly<Record<UnitsCheck["kind"], (first: number) => UnitSort>> = {
  h264(first) {
    const type = first & 31;
    if (type === 1 || type === 5) return "picture";
    return type >= 6 && type <= 23 ? "auxiliary" : "foreign";
  },
  h265(first) {
    const type = first >> 1;
    // The last bit belongs to a layer number that no encoder reaches.
    if ((first & 1) !== 0) return "foreign";
    if (type <= 9 || (type >= 16 && type <= 21)) return "picture";
    return type < 48 ? "auxiliary" : "foreign";
  },
};

/** Units never contain three zeros in a row; this many are no encoder's mistake, but a part that was never written. */
const hole = Buffer.alloc(64);

/** Whether a unit contains such a hole; at its end, zeros are padding. Null if the stream ends inside. */
function* walkUnit(bytes: number): ByteWalk<boolean | null> {
  let endsWithZeros = false;
  let hasHole = false;
  const isThere = yield* takeAll(bytes, (piece) => {
    const start = endsWithZeros ? 0 : piece.indexOf(hole);
    if (start === -1) return;
    endsWithZeros = piece.subarray(start).every((byte) => byte === 0);
    hasHole ||= !endsWithZeros;
  });
  return isThere ? hasHole : null;
}

/** OBU types, from the bits of the header's first byte without the last three. */
const obuKinds: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8, 15]);

/** An AV1 picture: units that each state their length, except for the last, which need not. */
function* walkObus(size: number): ByteWalk<Look | null> {
  for (let left = size; left > 0;) {
    const [header = 0] = (yield* take(1)) ?? [];
    left -= 1;
    const isKind = (header & 0x81) === 0 && obuKinds.has(header >> 3);
    const hasExtension = (header & 4) !== 0;
    if (!isKind) return (yield* leaveOut(left)) ? "broken" : null;
    if (hasExtension && left > 0) {
      if (!(yield* leaveOut(1))) return null;
      left -= 1;
    }
    if ((header & 2) === 0) return (yield* leaveOut(left)) ? "right" : null;
    let bytes = 0;
    for (let shift = 0; left > 0 && shift < 28; shift += 7) {
      const [part] = (yield* take(1)) ?? [];
      if (part === undefined) return null;
      left -= 1;
      bytes += (part & 127) * 2 ** shift;
      if (part < 128) break;
    }
    if (bytes > left) return (yield* leaveOut(left)) ? "broken" : null;
    if (!(yield* leaveOut(bytes))) return null;
    left -= bytes;
  }
  return "right";
}

/** More than a sample of 48 channels has. */
const audioMaxBytes = 48 * 1024;

/** Audio samples are short enough to be inspected whole. */
function* walkAudio(size: number, look: (sample: Buffer) => Look): ByteWalk<Look | null> {
  if (size > audioMaxBytes) return (yield* leaveOut(size)) ? "odd" : null;
  const sample = yield* take(size);
  return sample && look(sample);
}

const isZero = (bytes: Buffer) => bytes.every((byte) => byte === 0);
/** Shorter ones may be silence. */
const tellingBytes = 8;

const audioLooks = {
  /** A frame ends with three ones, followed by zeros that pad the last byte. */
  aac(frame: Buffer): Look {
    if (frame.length < 2) return "right";
    const bits = frame.readUInt16BE(frame.length - 2);
    if (bits === 0) return isZero(frame) ? "broken" : "odd";
    const zeros = 31 - Math.clz32(bits & -bits);
    return zeros < 8 && ((bits >> zeros) & 7) === 7 ? "right" : "odd";
  },
  opus(packet: Buffer): Look {
    // Stands for silence.
    if (packet.length === 0) return "odd";
    const isNothing = packet.length >= tellingBytes && isZero(packet);
    return isOpusPacket(packet) && !isNothing ? "right" : "broken";
  },
  /** The first bit of an audio packet is 0. */
  vorbis(packet: Buffer): Look {
    const isNothing = packet.length >= tellingBytes && isZero(packet);
    return ((packet[0] ?? 0) & 1) === 0 && !isNothing ? "right" : "broken";
  },
} as const;

const headBytes = 10;

/** What the first bytes of a sample of this size tell. */
const headLooks = {
  mp3(head: Buffer, size: number): Look {
    const frame = readMp3Frame(head.subarray(0, mp3HeaderBytes));
    // The last one may be truncated.
    return frame === null ? "broken" : frame.bytes === size ? "right" : "odd";
  },
  vp8(head: Buffer, size: number): Look {
    // Such a picture repeats the one before.
    if (size < 3) return "right";
    const tag = head.readUIntLE(0, 3);
    const isKey = (tag & 1) === 0;
    const firstPartBytes = tag >> 5;
    const startsRight = !isKey || head.toString("hex", 3, 6) === "9d012a";
    return startsRight && firstPartBytes <= size - (isKey ? 10 : 3) ? "right" : "broken";
  },
  vp9([first = 0, ...rest]: Buffer, size: number): Look {
    const profile = ((first >> 5) & 1) | ((first >> 3) & 2);
    // In profile 3, everything that follows is shifted by one bit.
    if (first >> 6 !== 2) return "broken";
    if (profile === 3) return "right";
    const isShownAgain = (first & 8) !== 0;
    if (isShownAgain) return size <= tellingBytes ? "right" : "odd";
    const isKey = (first & 4) === 0;
    return !isKey || Buffer.from(rest.slice(0, 3)).toString("hex") === "498342" ? "right" : "broken";
  },
} as const;
