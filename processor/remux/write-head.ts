import { Doubtful } from "../direct/doubtful.ts";
import { box, writeIndex } from "./write-index.ts";
import type { RemuxPlan } from "./plan-remux.ts";
import type { Finished } from "./remux-streams.ts";

const boxHeaderBytes = 8;
const longHeaderBytes = 16;

/**
 * What comes before the media of an mp4: its type, its index, unused space, and the header of the media. Throws
 * Doubtful if the index does not fit.
 */
export function writeHead(
  { plan, headBytes, userData }: Pick<RemuxPlan, "plan" | "headBytes" | "userData">,
  { tables, mediaBytes }: Finished,
): Buffer {
  const kind = box("ftyp", [
    Buffer.from(plan.container === "m4a" ? "M4A \x00\x00\x02\x00M4A isomiso2" : brands, "latin1"),
  ]);
  const index = writeIndex(tables, userData);
  const freeOffset = kind.length + index.length;
  const mediaOffset = headBytes - longHeaderBytes;
  if (mediaOffset - freeOffset < boxHeaderBytes) throw new Doubtful("the index is larger than its room");
  // Zeros that are never written take no memory.
  const head = Buffer.alloc(headBytes);
  kind.copy(head);
  index.copy(head, kind.length);
  head.writeUInt32BE(mediaOffset - freeOffset, freeOffset);
  head.write("free", freeOffset + 4, "latin1");
  head.writeUInt32BE(1, mediaOffset);
  head.write("mdat", mediaOffset + 4, "latin1");
  head.writeBigUInt64BE(BigInt(longHeaderBytes + mediaBytes), mediaOffset + boxHeaderBytes);
  return head;
}

const brands = "isom\x00\x00\x02\x00isomiso2mp41";
