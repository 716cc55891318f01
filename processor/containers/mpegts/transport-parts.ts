import { open } from "node:fs/promises";

/** How the parts of a transport stream fit together, which may come from several encoders. */
export interface TransportParts {
  /** What a decoder has to know in advance changes on the way. */
  readonly changes: { readonly video: boolean; readonly audio: boolean };
  /** A stream ends, and one with another number goes on: programs would only read the first. */
  readonly isReplaced: boolean;
}

interface Stream {
  readonly kind: "video" | "audio";
  /** The first ones, as far as one packet has them; null as long as none were seen. */
  parameters: Buffer | null;
  /** The packets at which it begins and was last seen. */
  readonly first: number;
  last: number;
}

const packetBytes = 188;
const syncByte = 0x47;
const piecePackets = 5000;

/** Reads a whole transport stream in a file, whose video has this codec. */
export async function readTransportParts(path: string, videoCodec: string | null): Promise<TransportParts> {
  const streams = new Map<number, Stream>();
  const changes = { video: false, audio: false };
  let packets = 0;

  function look(packet: Buffer): void {
    packets += 1;
    const begun = beginningIn(packet);
    if (begun === null) return;
    const { number, kind, content } = begun;
    const stream = streams.get(number) ?? { kind, parameters: null, first: packets, last: packets };
    streams.set(number, stream);
    stream.last = packets;
    const parameters = kind === "audio" ? parametersOfAac(content) : parametersOfVideo(content, videoCodec);
    if (parameters === null) return;
    if (stream.parameters !== null && !areSame(parameters, stream.parameters)) changes[kind] = true;
    // Copied, because it outlives the piece.
    stream.parameters ??= Buffer.from(parameters);
  }

  const file = await open(path);
  try {
    const piece = Buffer.alloc(piecePackets * packetBytes);
    for (let offset = 0, at = -1; at !== 0; offset += at) {
      const { bytesRead } = await file.read(piece, 0, piece.length, offset);
      for (at = 0; at + packetBytes <= bytesRead; at += piece[at] === syncByte ? packetBytes : 1)
        if (piece[at] === syncByte) look(piece.subarray(at, at + packetBytes));
    }
  } finally {
    await file.close();
  }
  return { changes, isReplaced: isReplaced([...streams.values()]) };
}

function isReplaced(streams: readonly Stream[]): boolean {
  return streams.some(({ kind, first }) => {
    const earlier = streams.filter((other) => other.kind === kind && other.first < first);
    return earlier.length > 0 && earlier.every(({ last }) => last < first);
  });
}

const pesHeaderBytes = 9;

/** The first bytes of a picture or a piece of audio, if one begins in this packet. */
function beginningIn(packet: Buffer): (Pick<Stream, "kind"> & { number: number; content: Buffer }) | null {
  const control = packet[3] ?? 0;
  const isBegun = ((packet[1] ?? 0) & 0x40) !== 0 && (control & 0xd0) === 0x10;
  const start = 4 + ((control & 0x20) === 0 ? 0 : 1 + (packet[4] ?? 0));
  if (!isBegun || start + pesHeaderBytes > packet.length || packet.readUIntBE(start, 3) !== 1) return null;
  const id = packet[start + 3] ?? 0;
  const kind = (id & 0xf0) === 0xe0 ? "video" : (id & 0xe0) === 0xc0 ? "audio" : null;
  if (kind === null) return null;
  const content = packet.subarray(start + pesHeaderBytes + (packet[start + 8] ?? 0));
  return { number: packet.readUInt16BE(1) & 0x1fff, kind, content };
}

/** Of a frame in the transport format ADTS: its profile, sample rate and channels. */
function parametersOfAac([first, second = 0, third = 0, fourth = 0]: Buffer): Buffer | null {
  const isAdts = first === 0xff && (second & 0xf6) === 0xf0;
  return isAdts ? Buffer.from([third & 0xfd, fourth & 0xc0]) : null;
}

const startCode = Buffer.from([0, 0, 1]);
const sequenceTypes: Readonly<Record<string, (first: number) => boolean>> = {
  h264: (first) => (first & 31) === 7,
  h265: (first) => first >> 1 === 33,
};

/** Of a sequence of pictures, up to the next unit or the end of the packet. */
function parametersOfVideo(content: Buffer, codec: string | null): Buffer | null {
  const isSequence = sequenceTypes[codec ?? ""];
  for (let at = content.indexOf(startCode); at !== -1; at = content.indexOf(startCode, at + 3)) {
    if (!isSequence?.(content[at + 3] ?? 0)) continue;
    const end = content.indexOf(startCode, at + 3);
    return content.subarray(at + 3, end === -1 ? undefined : end);
  }
  return null;
}

/** What is cut off by the end of a packet, and zeros before the next unit, do not count. */
function areSame(one: Buffer, other: Buffer): boolean {
  const bytes = Math.min(one.length, other.length);
  return one.subarray(0, bytes).equals(other.subarray(0, bytes));
}
