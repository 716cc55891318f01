import { open } from "node:fs/promises";
import { walkAlong, type ByteWalk } from "../walk-bytes.ts";

/** A top-level box of an mp4 file. */
export interface Box {
  readonly type: string;
  /** Including its header. */
  readonly bytes: number;
}

/** The top-level boxes in order, as far as they can be followed. */
export interface BoxWalk {
  readonly boxes: readonly Box[];
  /** The boxes tile the file exactly: nothing is truncated and nothing lies between them. */
  readonly isWhole: boolean;
  /** A box is truncated. Otherwise, whatever follows the boxes is none of them, such as a tag that was appended. */
  readonly isCut: boolean;
}

const shortHeaderBytes = 8;
const longHeaderBytes = 16;
/** A longer rest of a fragmented file may be room for fragments that never arrived. */
const foreignMaxBytes = 64 * 1024;

/** Walks the boxes of a file by their headers alone. */
export async function walkBoxes(path: string): Promise<BoxWalk> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const header = Buffer.alloc(longHeaderBytes);
    const boxes: Box[] = [];
    let offset = 0;
    while (offset < size) {
      const { bytesRead } = await file.read(header, 0, longHeaderBytes, offset);
      const box = readHeader(header.subarray(0, bytesRead), size - offset);
      if (box === null) {
        const isFragmented = boxes.some(({ type }) => type === "moof");
        const isLong = isFragmented && size - offset > foreignMaxBytes;
        const isCut = boxes.length === 0 || isLong || startsBox(header.subarray(0, bytesRead));
        return { boxes, isWhole: false, isCut };
      }
      boxes.push(box);
      offset += box.bytes;
    }
    return { boxes, isWhole: boxes.length > 0, isCut: false };
  } finally {
    await file.close();
  }
}

/** Other boxes are shorter than 16 MiB, so that their first byte is 0. */
const longTypes: ReadonlySet<string> = new Set(["mdat", "moov", "moof", "free", "skip", "wide", "uuid"]);

/**
 * Whether bytes that are not a whole box are the beginning of one. Padding consists of zeros, and no tag or text begins
 * with one.
 */
export function startsBox(bytes: Buffer): boolean {
  const header = bytes.subarray(0, shortHeaderBytes);
  const type = header.toString("latin1", 4);
  if (longTypes.has(type)) return true;
  return header[0] === 0 && !isZero(header) && /^[\x20-\x7e\xa9]*$/.test(type);
}

/** The box with this header, or null if it is none, or does not fit into the bytes left in the file. */
export function readHeader(header: Buffer, bytesLeft: number): Box | null {
  if (header.length < shortHeaderBytes || isZero(header.subarray(0, shortHeaderBytes))) return null;
  const type = header.toString("latin1", 4, 8);
  const size = header.readUInt32BE(0);
  if (size === 1) {
    if (header.length < longHeaderBytes) return null;
    return fitting({ type, bytes: Number(header.readBigUInt64BE(8)) }, longHeaderBytes, bytesLeft);
  }
  // A size of 0 means up to the end of the file.
  return fitting({ type, bytes: size === 0 ? bytesLeft : size }, shortHeaderBytes, bytesLeft);
}

const isZero = (bytes: Buffer) => bytes.every((byte) => byte === 0);

function fitting(box: Box, headerBytes: number, bytesLeft: number): Box | null {
  return box.bytes >= headerBytes && box.bytes <= bytesLeft ? box : null;
}

/** True for a complete, unfragmented file whose index precedes its media, so that it plays while downloading. */
export function playsFromStart({ boxes, isWhole }: BoxWalk): boolean {
  const types = boxes.map(({ type }) => type);
  const index = types.indexOf("moov");
  return isWhole && index !== -1 && index < types.indexOf("mdat") && !types.includes("moof");
}

/** What comes before the media of an mp4 that can be read in order. */
export interface Mp4Beginning {
  readonly indexEnd: number;
  /** The media is in fragments, each with its own index. */
  readonly isFragmented: boolean;
}

/** Walks the boxes before the media; null if the index comes after it. */
export function* walkBeginning(): ByteWalk<Mp4Beginning | null> {
  let indexEnd: number | null = null;
  for (let end = 0; ;) {
    const box = yield* takeBox();
    if (box === null || box === "end") return null;
    if (box.type === "mdat" || box.type === "moof") {
      return indexEnd === null ? null : { indexEnd, isFragmented: box.type === "moof" };
    }
    if (!Number.isFinite(box.bytes)) return null;
    end += box.bytes;
    if (box.type === "moov") indexEnd = end;
    yield box.headerBytes - box.bytes;
  }
}

/** Reads the boxes before the media, like `walkBeginning`. Reading may wait for what has not arrived yet. */
export function readBeginning(
  readAt: (offset: number, bytes: number) => Promise<Buffer>,
): Promise<Mp4Beginning | null> {
  return walkAlong(walkBeginning(), readAt);
}

/** The next box's header in a stream; the box may reach to the stream's end. Null if there is anything else. */
export function* takeBox(): ByteWalk<(Box & { readonly headerBytes: number }) | "end" | null> {
  const header = yield* takeHeader();
  if (header.length === 0) return "end";
  const box = readHeader(header, Infinity);
  return box && { ...box, headerBytes: header.length };
}

/** As many bytes as a box's header at this place has; fewer at the end of the stream. */
export function* takeHeader(): ByteWalk<Buffer> {
  const short = yield shortHeaderBytes;
  const isLong = short.length === shortHeaderBytes && short.readUInt32BE(0) === 1;
  return isLong ? Buffer.concat([short, yield longHeaderBytes - shortHeaderBytes]) : short;
}
