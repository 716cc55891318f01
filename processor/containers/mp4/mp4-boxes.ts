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
}

const shortHeaderBytes = 8;
const longHeaderBytes = 16;

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
      if (box === null) return { boxes, isWhole: false };
      boxes.push(box);
      offset += box.bytes;
    }
    return { boxes, isWhole: boxes.length > 0 };
  } finally {
    await file.close();
  }
}

/** The box with this header, or null if it does not fit into the bytes left in the file. */
export function readHeader(header: Buffer, bytesLeft: number): Box | null {
  if (header.length < shortHeaderBytes) return null;
  const type = header.toString("latin1", 4, 8);
  const size = header.readUInt32BE(0);
  if (size === 1) {
    if (header.length < longHeaderBytes) return null;
    return fitting({ type, bytes: Number(header.readBigUInt64BE(8)) }, longHeaderBytes, bytesLeft);
  }
  // A size of 0 means up to the end of the file.
  return fitting({ type, bytes: size === 0 ? bytesLeft : size }, shortHeaderBytes, bytesLeft);
}

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
  const short = yield shortHeaderBytes;
  if (short.length === 0) return "end";
  const isLong = short.length === shortHeaderBytes && short.readUInt32BE(0) === 1;
  const header = isLong ? Buffer.concat([short, yield longHeaderBytes - shortHeaderBytes]) : short;
  const box = readHeader(header, Infinity);
  return box && { ...box, headerBytes: header.length };
}
