import { readHeader } from "./mp4-boxes.ts";

const headerBytes = { short: 8, long: 16 } as const;

/** The consecutive boxes in these bytes, as far as they are complete. */
export function boxesIn(bytes: Buffer): { readonly type: string; readonly content: Buffer }[] {
  const boxes: { type: string; content: Buffer }[] = [];
  for (let at = 0; at < bytes.length;) {
    const box = readHeader(bytes.subarray(at, at + headerBytes.long), bytes.length - at);
    if (box === null) break;
    const isLong = bytes.readUInt32BE(at) === 1;
    const start = at + (isLong ? headerBytes.long : headerBytes.short);
    boxes.push({ type: box.type, content: bytes.subarray(start, at + box.bytes) });
    at += box.bytes;
  }
  return boxes;
}

/** The content of the first box with this type; null if there is none. */
export function boxContent(bytes: Buffer, type: string): Buffer | null {
  return boxesIn(bytes).find((box) => box.type === type)?.content ?? null;
}
