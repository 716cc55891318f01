/** What the packets of a transport stream, or of a segment of one, say at its beginning and its end. */
export interface TransportEdges {
  /** The last packet is truncated. */
  readonly isCut: boolean;
  /** A packet says that the counters start anew. */
  readonly isMarked: boolean;
  /** The earliest and the latest time at which something is played, in ticks of 1/90,000 s; null without times. */
  readonly startTick: number | null;
  readonly endTick: number | null;
  /** Packets are missing between the first and the last one. */
  readonly hasGaps: boolean;
  /** Of the streams with times, by their number. */
  readonly counters: ReadonlyMap<number, PacketCounter>;
}

/** Four bits that rise by one with every packet of a stream. */
interface PacketCounter {
  readonly first: number;
  readonly last: number;
}

export interface TransportScan {
  take(bytes: Buffer): void;
  /** Null if the bytes so far are not a transport stream from the first one on. */
  edges(): TransportEdges | null;
}

const packetBytes = 188;
const syncByte = 0x47;
/** Fewer could be anything. */
const tellingPackets = 3;
const streamsMax = 8192;
const fillerStream = streamsMax - 1;
const nothing = Buffer.alloc(0);

/** Looks at every packet of a stream that arrives in pieces of any size. */
export function createTransportScan(): TransportScan {
  const first = new Int8Array(streamsMax).fill(-1);
  const last = new Int8Array(streamsMax).fill(-1);
  const timed = new Set<number>();
  let startTick = Infinity;
  let endTick = -Infinity;
  let isMarked = false;
  let hasGaps = false;
  let isOther = false;
  let packets = 0;
  /** The beginning of a packet. */
  let waiting: Buffer = nothing;

  function look(bytes: Buffer, at: number): void {
    packets += 1;
    if (bytes[at] !== syncByte) isOther = true;
    const flags = bytes[at + 1] ?? 0;
    const control = bytes[at + 3] ?? 0;
    const stream = ((flags & 31) << 8) | (bytes[at + 2] ?? 0);
    const hasField = (control & 0x20) !== 0;
    const fieldBytes = hasField ? (bytes[at + 4] ?? 0) : 0;
    const startsAnew = fieldBytes > 0 && ((bytes[at + 5] ?? 0) & 0x80) !== 0;
    if (startsAnew) isMarked = true;
    if ((control & 0x10) === 0 || stream === fillerStream) return;
    const counter = control & 15;
    const before = last[stream] ?? -1;
    // A packet may be sent twice.
    const follows = before === -1 || counter === before || counter === ((before + 1) & 15);
    if (!follows && !startsAnew) hasGaps = true;
    if (first[stream] === -1) first[stream] = counter;
    last[stream] = counter;
    if ((flags & 0x40) === 0) return;
    const start = at + 4 + (hasField ? 1 + fieldBytes : 0);
    const tick = readTime(bytes.subarray(start, at + packetBytes));
    if (tick === null) return;
    timed.add(stream);
    startTick = Math.min(startTick, tick);
    endTick = Math.max(endTick, tick);
  }

  return {
    take(bytes) {
      let at = 0;
      if (waiting.length > 0) {
        at = Math.min(packetBytes - waiting.length, bytes.length);
        waiting = Buffer.concat([waiting, bytes.subarray(0, at)]);
        if (waiting.length < packetBytes) return;
        look(waiting, 0);
      }
      for (; at + packetBytes <= bytes.length && !isOther; at += packetBytes) look(bytes, at);
      // Copied, because it outlives the piece.
      waiting = isOther ? nothing : Buffer.from(bytes.subarray(at));
    },
    edges() {
      if (isOther || packets < tellingPackets) return null;
      const counter = (stream: number) => ({ first: first[stream] ?? 0, last: last[stream] ?? 0 });
      return {
        isCut: waiting[0] === syncByte,
        isMarked,
        hasGaps,
        startTick: timed.size === 0 ? null : startTick,
        endTick: timed.size === 0 ? null : endTick,
        counters: new Map([...timed].map((stream) => [stream, counter(stream)])),
      };
    },
  };
}

/** The presentation time in the header with which a picture or a piece of audio begins; null if it has none. */
function readTime(header: Buffer): number | null {
  if (header.length < 14 || header.readUIntBE(0, 3) !== 1 || ((header[7] ?? 0) & 0x80) === 0) return null;
  const high = ((header[9] ?? 0) >> 1) & 7;
  return high * 2 ** 30 + (header.readUInt16BE(10) >> 1) * 2 ** 15 + (header.readUInt16BE(12) >> 1);
}
