import { leaveOut, type ByteWalk } from "../walk-bytes.ts";
import { readHeader, startsBox, takeHeader } from "./mp4-boxes.ts";

/** Walks a segment of an mp4 box by box: whether its last box is truncated. False for anything but boxes. */
export function* walkToCutBox(): ByteWalk<boolean> {
  for (;;) {
    const header = yield* takeHeader();
    if (!startsBox(header)) return false;
    const box = readHeader(header, Infinity);
    if (box === null) return true;
    // A box of unknown length reaches to the end.
    if (!Number.isFinite(box.bytes)) return false;
    if (!(yield* leaveOut(box.bytes - header.length))) return true;
  }
}
