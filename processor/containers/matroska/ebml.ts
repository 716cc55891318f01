import type { ByteWalk } from "../walk-bytes.ts";

/** The header of a Matroska or WebM element. */
export interface EbmlElement {
  readonly id: number;
  readonly headerBytes: number;
  /** Length of its content; null if unknown. */
  readonly bytes: number | null;
}

export const ebmlIds = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
  tags: 0x1254c367,
  chapters: 0x1043a770,
  attachments: 0x1941a469,
  void: 0xec,
  crc32: 0xbf,
} as const;

/** The maximum length of a header. */
export const ebmlHeaderMaxBytes = 12;
const idMaxBytes = 4;

/** The element whose header is here; null if there is none, or it is incomplete. */
export function readElement(bytes: Buffer, at: number): EbmlElement | null {
  const idBytes = lengthOf(bytes[at]);
  const sizeBytes = lengthOf(bytes[at + idBytes]);
  const headerBytes = idBytes + sizeBytes;
  if (idBytes > idMaxBytes || headerBytes > ebmlHeaderMaxBytes || at + headerBytes > bytes.length)
    return null;
  return {
    id: bytes.readUIntBE(at, idBytes),
    headerBytes,
    bytes: readVint(bytes, at + idBytes),
  };
}

/** The consecutive elements in these bytes. Null if there is anything else, or one is truncated. */
export function elementsIn(bytes: Buffer): { readonly id: number; readonly content: Buffer }[] | null {
  const elements: { id: number; content: Buffer }[] = [];
  for (let at = 0; at < bytes.length;) {
    const element = readElement(bytes, at);
    if (element === null || element.bytes === null) return null;
    const start = at + element.headerBytes;
    at = start + element.bytes;
    if (at > bytes.length) return null;
    elements.push({ id: element.id, content: bytes.subarray(start, at) });
  }
  return elements;
}

/** The next element's header in a stream; null if there is none. */
export function* takeElement(): ByteWalk<EbmlElement | null> {
  let header = yield leastHeaderBytes;
  for (;;) {
    if (header.length < leastHeaderBytes) return null;
    const idBytes = lengthOf(header[0]);
    const known = Math.max(leastHeaderBytes, idBytes + 1);
    const wanted = header.length < known ? known : idBytes + lengthOf(header[idBytes]);
    if (idBytes > idMaxBytes || wanted > ebmlHeaderMaxBytes) return null;
    if (header.length >= wanted) return readElement(header, 0);
    const more = yield wanted - header.length;
    if (more.length < wanted - header.length) return null;
    header = Buffer.concat([header, more]);
  }
}

const leastHeaderBytes = 2;

/** How many bytes a number starting with this byte takes. More than 8 if it is not a number. */
export function lengthOf(first = 0): number {
  return Math.clz32(first) - 23;
}

/** A number of variable length; all ones mean unknown. */
export function readVint(bytes: Buffer, at: number): number | null {
  const length = lengthOf(bytes[at]);
  const [first = 0, ...others] = bytes.subarray(at, at + length);
  const ones = 2 ** (8 - length) - 1;
  if ((first & ones) === ones && others.every((byte) => byte === 0xff)) return null;
  return others.reduce((value, byte) => value * 256 + byte, first & ones);
}
