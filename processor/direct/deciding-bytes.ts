import { readHeader } from "../mux/mp4-boxes.ts";
import { tagBytes } from "../mux/mp3-promise.ts";
import { sniffContainer, sniffedBytes } from "../source/sniff-container.ts";

/** More than this is not kept in memory to look at: the index of a film of some hours takes as much. */
const headMaxBytes = 8 * 1024 * 1024;
/** A few frames of sound, the first of which may say how many follow. */
const framesBytes = 64 * 1024;
const boxHeaderBytes = 16;

/**
 * How many bytes from the beginning tell whether a file can be passed on as it is: no more than there are here, or at
 * least so many. Null where no number of them does.
 */
export function decidingBytes(head: Buffer): number | null {
  if (head.length < sniffedBytes) return sniffedBytes;
  const sniffed = sniffContainer(head);
  const bytes = sniffed === "mp3" ? soundBytes(head) : sniffed === "mov" ? indexEnd(head) : null;
  return bytes !== null && bytes <= headMaxBytes ? bytes : null;
}

function soundBytes(head: Buffer): number {
  let tags = 0;
  for (let bytes = tagBytes(head); bytes > 0; bytes = tagBytes(head.subarray(tags))) tags += bytes;
  return tags + framesBytes;
}

/** Where the index ends that lies before the media; or where the next box has told itself, as long as none did. */
function indexEnd(head: Buffer): number | null {
  for (let offset = 0; ;) {
    const box = readHeader(head.subarray(offset, offset + boxHeaderBytes), Infinity);
    if (offset + boxHeaderBytes > head.length) return offset + boxHeaderBytes;
    if (box === null || box.type === "mdat" || box.type === "moof") return null;
    offset += box.bytes;
    if (box.type === "moov") return offset;
  }
}
