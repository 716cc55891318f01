const frameMaxBytes = 1275;
/** The maximum total of a packet's frames; 48 of the shortest. */
const packetMaxMs = 120;
const silkMs = [10, 20, 40, 60] as const;
const celtMs = [2.5, 5, 10, 20] as const;

/** Whether these bytes can be an Opus packet by the rules of RFC 6716, section 3. */
export function isOpusPacket(packet: Uint8Array): boolean {
  const [first, second] = packet;
  if (first === undefined) return false;
  const frames = packet.length - 1;
  switch (first & 3) {
    case 0:
      return frames <= frameMaxBytes;
    case 1:
      return frames % 2 === 0 && frames / 2 <= frameMaxBytes;
    case 2: {
      const { bytes, end } = frameLength(packet, 1);
      const last = packet.length - end - bytes;
      return last >= 0 && last <= frameMaxBytes;
    }
    default:
      return second !== undefined && hasFrames(packet, second, (second & 63) * frameMs(first));
  }
}

function frameMs(first: number): number {
  const configuration = first >> 3;
  if (configuration < 12) return silkMs[configuration & 3] ?? 0;
  if (configuration < 16) return silkMs[configuration & 1] ?? 0;
  return celtMs[configuration & 3] ?? 0;
}

/** A packet with any number of frames: `flags` tell whether they have the same length, and whether padding follows. */
function hasFrames(packet: Uint8Array, flags: number, ms: number): boolean {
  const count = flags & 63;
  if (count === 0 || ms > packetMaxMs) return false;
  let at = 2;
  let padding = 0;
  if ((flags & 0x40) !== 0) {
    let part: number;
    do {
      part = packet[at] ?? 0;
      padding += Math.min(part, 254);
      at += 1;
    } while (part === 255);
  }
  const isVariable = (flags & 0x80) !== 0;
  let frames = packet.length - padding - at;
  if (!isVariable) return frames >= 0 && frames % count === 0 && frames / count <= frameMaxBytes;
  for (let frame = 1; frame < count; frame += 1) {
    const { bytes, end } = frameLength(packet, at);
    frames -= bytes + end - at;
    at = end;
  }
  return frames >= 0 && frames <= frameMaxBytes;
}

/** A frame's length, which takes one or two bytes. */
function frameLength(packet: Uint8Array, at: number): { bytes: number; end: number } {
  const first = packet[at] ?? 0;
  if (first < 252) return { bytes: first, end: at + 1 };
  return { bytes: first + 4 * (packet[at + 1] ?? 0), end: at + 2 };
}
